const number = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

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

/**
 * A result for a terminal. On a machine that does other work too, the ratios of processor time are the steadier
 * ones. A greater ratio is always better for the contender.
 */
export const textOf = ({ path, contenders }) =>
  [
    `${path.title} (${path.name})`,
    ...[...contenders.keys()].flatMap((name) => lineOf(name, contenders)),
  ].join("\n");
