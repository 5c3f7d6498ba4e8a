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

/** What is measured and how, as the command line says. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      path: { type: "string" },
      only: { type: "string" },
      contenders: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: { type: "string", default: "32" },
      keep: { type: "string" },
      before: { type: "string" },
      settings: { type: "string" },
      quick: { type: "boolean", default: false },
    },
  });
  const { quick, keep, before } = values;
  const settings = Object.fromEntries(list(values.settings)?.map((pair) => pair.split("=")) ?? []);
  const table = withSettings(
    { ...contenders, ...(before && { before: buildOf(before) }) },
    settings,
  );
  const names = list(values.path ?? values.only);
  const chosenPaths = names ? chosen(names, paths, "path") : paths;
  const only = list(values.contenders);
  chosen(
    only ?? [],
    Object.keys(table).map((name) => ({ name })),
    "contender",
  );
  return {
    table,
    paths: quick ? chosenPaths.map(quickly) : chosenPaths,
    only,
    keep,
    rounds: Number(values.rounds ?? (quick ? 3 : 7)),
    seconds: Number(values.seconds ?? (quick ? 1 : 2)),
    connections: Number(values.connections),
  };
}

/** A path with the service and the floors alone. */
const quickly = (path) => ({
  ...path,
  contenders: path.contenders.filter((name) => QUICK.includes(name)),
});

/** Settings of the command line apply to the service in all its forms. */
const withSettings = (table, settings) =>
  Object.fromEntries(
    Object.entries(table).map(([name, contender]) => [
      name,
      contender.title.startsWith("service")
        ? { ...contender, settings: { ...contender.settings, ...settings } }
        : contender,
    ]),
  );
