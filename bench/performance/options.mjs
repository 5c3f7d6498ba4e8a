import { parseArgs } from "node:util";
import { buildOf, contenders } from "./contenders.mjs";
import { paths } from "./paths/index.mjs";

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
  const text = { type: "string" };
  const flag = { type: "boolean", default: false };
  const options = {
    ...{ path: text, only: text, contenders: text },
    ...{ rounds: text, seconds: text, connections: { ...text, default: "32" } },
    ...{ keep: text, before: text, settings: text, profile: text },
    ...{ quick: flag, write: flag, scale: flag, size: { ...text, default: "1000000,5000000" } },
  };
  return parseArgs({ options }).values;
}

function tableOf({ before, settings }) {
  const given = list(settings)?.map((pair) => pair.split("="));
  const table = { ...contenders, ...(before && { before: buildOf(before) }) };
  return withSettings(table, Object.fromEntries(given ?? []));
}

function sizeOf(text) {
  const [products, orders] = list(text).map(Number);
  return { products, orders };
}

/** What is measured and how, as the command line says. */
export function readOptions() {
  const { quick, scale, write, keep, profile, ...values } = readCommandLine();
  const table = tableOf(values);
  const wanted = list(values.path ?? values.only);
  const only = list(values.contenders);
  const all = Object.keys(table).map((name) => ({ name }));
  if (only) chosen(only, all, "contender");
  const contendersOf = (path) =>
    only ?? path.contenders.filter((name) => !quick || QUICK.includes(name));
  const isPartial = wanted !== undefined || only !== undefined || profile !== undefined;
  if (write && (isPartial || quick)) throw new Error("--write takes a whole run");
  return {
    ...{
      table,
      write,
      keep,
      profile,
      isChosen: only !== undefined,
      isPartial,
      scale,
      starts: quick ? 2 : 5,
    },
    size: sizeOf(values.size),
    paths: (wanted ? chosen(wanted, paths, "path") : paths).map((path) => ({
      ...path,
      contenders: contendersOf(path),
    })),
    rounds: Number(values.rounds ?? (quick ? 3 : 7)),
    seconds: Number(values.seconds ?? (quick ? 0.5 : 2)),
    connections: Number(values.connections),
  };
}
