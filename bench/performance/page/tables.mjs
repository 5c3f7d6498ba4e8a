import { markdown, verdict } from "./markdown.mjs";
import { floorOf, measuredTargets, nameOn, toFloor } from "./ratios.mjs";

const whole = (value) => String(Math.round(value));
const short = (value) => (value >= 10 ? value.toFixed(1) : value.toFixed(2));
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;

/** What the form of the service in a target leaves out. */
const FORMS = { alone: ", nothing shared or cached", uncached: ", reads gathered" };

/** Each target beside what was measured on each version of Node. */
export function targetsTable(runs, table) {
  const [first, ...others] = runs.map((run) => targetRows(run, table));
  const rows = first.map((row, index) => [
    ...row,
    ...others.flatMap((other) => other[index].slice(-2)),
  ]);
  const measured = ({ version }) => (runs.length > 1 ? `Node ${version}` : "Measured");
  return markdown(["Path", "Target", ...runs.flatMap((run) => [measured(run), ""])], rows);
}

function targetRows({ results, costs }, table) {
  const rows = results.flatMap((result) =>
    measuredTargets(result).map(({ of, to, atLeast, measured }) => [
      result.path.title + (FORMS[of] ?? ""),
      `≥ ${atLeast} × ${nameOn(result.path, to, table)}`,
      short(measured),
      verdict(measured >= atLeast),
    ]),
  );
  return [...rows, ...costRows(costs)];
}

function costRows(costs) {
  if (!costs) return [];
  const { start, idle, loaded } = costs.get("service");
  return [
    ["Start to the first answer", "≤ 700 ms", `${whole(start)} ms`, verdict(start <= 700)],
    ["Memory, idle", "≤ 110 MB", megabytes(idle), verdict(idle <= 110e6)],
    ["Memory, loaded", "≤ 170 MB", megabytes(loaded), verdict(loaded <= 170e6)],
  ];
}

const refusals = ({ statuses, errors }) =>
  [...Object.entries(statuses), ["no answer", errors]]
    .filter(([status, count]) => count > 0 && !(status < 400))
    .map(([status, count]) => ` (${status} × ${count})`)
    .join("");

function floorCell(result, name, table) {
  const measured = toFloor(result, name);
  return measured === undefined
    ? ""
    : `${short(measured)} ${nameOn(result.path, floorOf(result.path), table)}`;
}

const HEAD = [
  "Path",
  "Who",
  "Requests/s",
  "To the floor",
  "CPU, µs: Node + PostgreSQL",
  "Statements",
  "p50, p99, ms",
  "Spread",
];

/** Everything that was measured of each contender on each path. */
export function detailsTable(results, table) {
  const rows = results.flatMap((result) =>
    [...result.contenders].map(([name, each], index) => [
      index === 0 ? result.path.title : "",
      nameOn(result.path, name, table),
      whole(each.rate) + refusals(each),
      floorCell(result, name, table),
      `${whole(each.node)} + ${whole(each.database)}`,
      each.statements === undefined ? "" : short(each.statements),
      `${short(each.p50)}, ${short(each.p99)}`,
      `± ${whole(each.spread * 100)} %`,
    ]),
  );
  return markdown(HEAD, rows);
}

/** What the processes of some contenders cost on each version of Node. */
export function costsTable(runs, table) {
  const rows = runs.flatMap(({ version, costs }) =>
    [...costs].map(([name, { start, idle, loaded }]) => [
      (name === "floor" ? "node:http and pg (F)" : table[name].title) +
        (runs.length > 1 ? `, Node ${version}` : ""),
      `${whole(start)} ms`,
      megabytes(idle),
      megabytes(loaded),
    ]),
  );
  return markdown(["Process", "Start to the first answer", "Memory, idle", "Memory, loaded"], rows);
}
