import { parseArgs } from "node:util";
import { buildOf, contenders } from "./contenders.mjs";
import { paths } from "./paths/index.mjs";

/** The versions of Node in docs/performance.md. The chart shows the first of them. */
const NODES_OF_PAGE = "24,20";

const QUICK = ["service", "uncached", "alone", "floor", "late", "constant"];

const list = (text) => text?.split(",");

function chosen(names, all, what) {
  return names.map((name) => {
    const found = all.find((each) => each.name === name);
    if (found === undefined) {
      throw new Error(
        `There is no ${what} ${name}, but ${all.map((each) => each.name).join(", ")}`,
      );
    }
    return found;
  });
}

/** Settings of the command line apply to the service in all its forms. */
const withSettings = (table, settings) =>
  Object.fromEntries(
    Object.entries(table).map(([name, contender]) => [
      name,
      contender.isService
        ? { ...contender, settings: { ...contender.settings, ...settings } }
        : contender,
    ]),
  );

function readCommandLine() {
  const text = /** @type {const} */ ({ type: "string" });
  const flag = /** @type {const} */ ({ type: "boolean", default: false });
  const options = {
    ...{ path: text, only: text, contenders: text },
    ...{ rounds: text, seconds: text, connections: { ...text, default: "32" } },
    ...{ keep: text, before: text, settings: text, beside: text, profile: text, node: text },
    ...{ quick: flag, write: flag, scale: flag, replicas: flag, processes: flag },
    ...{ size: { ...text, default: "1000000,5000000" }, clients: { ...text, default: "1" } },
  };
  return parseArgs({ options }).values;
}

/** The name of a contender with the settings of `--beside`. */
const besideOf = (name) => `${name}+`;

/** Each form of the service once more, with these settings. */
const besideAll = (table, settings) =>
  Object.fromEntries(
    Object.entries(withSettings(table, settingsOf(settings)))
      .filter(([, contender]) => contender.isService)
      .map(([name, contender]) => [
        besideOf(name),
        { ...contender, title: `${contender.title}, ${settings}` },
      ]),
  );

const settingsOf = (text) => Object.fromEntries(list(text)?.map((pair) => pair.split("=")) ?? []);

function tableOf({ before, settings, beside }) {
  const all = { ...contenders, ...(before && { before: buildOf(before) }) };
  const table = withSettings(all, settingsOf(settings));
  return { ...table, ...(beside && besideAll(table, beside)) };
}

function sizeOf(text) {
  const [products, orders] = list(text).map(Number);
  return { products, orders };
}

/** What is measured and how, as the command line says. */
export function readOptions() {
  const { quick, scale, replicas, processes, write, keep, profile, ...values } = readCommandLine();
  const { before } = values;
  const table = tableOf(values);
  const wanted = list(values.path ?? values.only);
  const only = list(values.contenders);
  const all = Object.keys(table).map((name) => ({ name }));
  if (only) chosen(only, all, "contender");
  const compared = before ? ["service", "before"] : [];
  const contendersOf = ({ contenders }) => {
    const usual = contenders.filter((name) => !quick || QUICK.includes(name));
    return (only ?? [...new Set([...usual, ...compared])]).flatMap((name) =>
      besideOf(name) in table ? [name, besideOf(name)] : [name],
    );
  };
  const isPartial =
    processes || [wanted, only, values.beside, profile].some((given) => given !== undefined);
  if (write && (isPartial || quick)) throw new Error("--write takes a whole run");
  return {
    ...{
      table,
      write,
      keep,
      before,
      profile,
      isChosen: only !== undefined,
      isPartial,
      scale,
      replicas,
      processes,
      starts: quick ? 2 : 5,
    },
    nodes: list(values.node ?? (write ? NODES_OF_PAGE : process.execPath)),
    size: sizeOf(values.size),
    clients: Number(values.clients),
    paths: (wanted ? chosen(wanted, paths, "path") : paths).map((path) => ({
      ...path,
      contenders: contendersOf(path),
    })),
    rounds: Number(values.rounds ?? (quick ? 3 : 7)),
    seconds: Number(values.seconds ?? (quick ? 0.5 : 2)),
    connections: Number(values.connections),
  };
}
