const number = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;

/** The ratio of a contender's figure to that of each other contender. */
const toOthers = (contenders, name, ratio) =>
  [...contenders]
    .filter(([other]) => other !== name)
    .map(([other, summary]) => `${ratio(summary).toFixed(2)} ${other}`)
    .join(", ");

function lineOf(name, contenders) {
  const each = contenders.get(name);
  const cpu = ({ node, database }) => node + database;
  const parts = [
    `${name.padEnd(12)} ${number(each.rate).padStart(6)}/s ± ${(each.spread * 100).toFixed(0)} %`,
    `CPU ${number(each.node)} + ${number(each.database)} µs`,
    `${number(each.statements)} statements`,
    `p50 ${number(each.p50)} p99 ${number(each.p99)} ms`,
    `${Object.keys(each.statuses).join(" ")}${each.errors > 0 ? `, ${each.errors} errors` : ""}`,
    each.sameBytes ? "same bytes" : "same data",
  ];
  if (contenders.size === 1) return [`  ${parts.join("; ")}`];
  const byRate = toOthers(contenders, name, (other) => each.rate / other.rate);
  const byCpu = toOthers(contenders, name, (other) => cpu(other) / cpu(each));
  return [`  ${parts.join("; ")}`, `    rate ${byRate}; by CPU ${byCpu}`];
}

/** A target whose contenders were measured. */
function targetLine({ of, to, atLeast }, contenders) {
  if (!contenders.has(of) || !contenders.has(to)) return [];
  const ratio = contenders.get(of).rate / contenders.get(to).rate;
  const verdict = ratio >= atLeast ? "reached" : "not reached";
  return [`  target: ${of} ≥ ${atLeast} × ${to}: ${ratio.toFixed(2)}, ${verdict}`];
}

/**
 * A result for a terminal. On a machine that does other work too, the ratios of processor time are the steadier
 * ones. A greater ratio is always better for the contender.
 */
export const textOf = ({ path, contenders }) =>
  [
    `${path.title} (${path.name})`,
    ...[...contenders.keys()].flatMap((name) => lineOf(name, contenders)),
    ...path.targets.flatMap((target) => targetLine(target, contenders)),
  ].join("\n");

/** What the process of a contender costs. */
export const costsText = (name, { start, idle, loaded }) =>
  `${name.padEnd(12)} first answer after ${start.toFixed(0)} ms, ` +
  `memory ${megabytes(idle)} idle, ${megabytes(loaded)} loaded`;
