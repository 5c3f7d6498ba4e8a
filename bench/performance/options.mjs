import { parseArgs } from "node:util";
import { arePeersInstalled, buildOf, contenders } from "./contenders.mjs";
import { largePaths, paths } from "./paths/index.mjs";

const SMALL = "1000,100000";

const QUICK = ["service", "uncached", "floor"];

const list = (text) => text?.split(",");

function chosen(names, all, what) {
  const known = all.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`There is no ${what} ${unknown}, but ${known.join(", ")}`);
  }
  return names.map((name) => all.find((each) => each.name === name));
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
    ...{ path: text, contenders: text, rounds: text, seconds: text },
    ...{ connections: { ...text, default: "32" }, size: { ...text, default: SMALL } },
    ...{ keep: text, before: text, settings: text, beside: text },
    ...{ node: { ...text, default: process.execPath }, quick: flag, processes: flag },
  };
  return parseArgs({ options }).values;
}

/** The name of a contender with the settings of `--beside`. */
const besideOf = (name) => `${name}+`;

/** Each form of the service once more, with these settings. */
const besideAll = (table, settings) =>
  Object.fromEntries(
    Object.entries(withSettings(table, settingsOf(settings)))
      .filter(([, { isService }]) => isService)
      .map(([name, contender]) => [besideOf(name), contender]),
  );

const settingsOf = (text) => Object.fromEntries(list(text)?.map((pair) => pair.split("=")) ?? []);

function tableOf({ before, settings, beside }) {
  const all = { ...contenders, ...(before && { before: buildOf(before) }) };
  const table = withSettings(all, settingsOf(settings));
  return { ...table, ...(beside && besideAll(table, beside)) };
}

/** What is measured and how, as the command line says. */
export function readOptions() {
  const { quick, processes, keep, ...values } = readCommandLine();
  const { before } = values;
  const table = tableOf(values);
  const [products, orders] = list(values.size).map(Number);
  const isLarge = values.size !== SMALL;
  const only = list(values.contenders);
  const known = Object.keys(table).map((name) => ({ name }));
  chosen(only ?? [], known, "contender");
  if (only?.some((name) => table[name].isPeer) && !arePeersInstalled) {
    throw new Error("The peers are not installed: npm install --prefix bench/peers");
  }
  const usual = (name) =>
    (!quick || QUICK.includes(name)) && (!table[name].isPeer || arePeersInstalled);
  const contendersOf = (path) => {
    const compared = before ? ["service", "before"] : [];
    const names = only ?? [...new Set([...path.contenders.filter(usual), ...compared])];
    return names.flatMap((name) => (besideOf(name) in table ? [name, besideOf(name)] : [name]));
  };
  const measured = values.path
    ? chosen(list(values.path), [...new Set([...paths, ...largePaths])], "path")
    : isLarge
      ? largePaths
      : paths;
  const isWhole = [values.path, only, values.beside].every((given) => given === undefined);
  return {
    ...{ table, keep, before, nodes: list(values.node), size: { products, orders } },
    ...{ measuresPaths: !processes, measuresProcesses: processes || (isWhole && !isLarge) },
    paths: measured.map((path) => ({ ...path, contenders: contendersOf(path) })),
    starts: quick ? 2 : 5,
    rounds: Number(values.rounds ?? (quick ? 3 : 7)),
    seconds: Number(values.seconds ?? (quick ? 0.5 : 2)),
    connections: Number(values.connections),
  };
}
