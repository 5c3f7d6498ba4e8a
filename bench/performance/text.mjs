const number = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** A result for a terminal: a line for each contender, with its rate to that of every other. */
export function textOf({ path, contenders }) {
  const names = [...contenders.keys()];
  const lines = names.map((name) => {
    const { rate, node, database, p50, p99, spread, statuses, statements, errors, sameBytes } =
      contenders.get(name);
    const ratios = names
      .filter((other) => other !== name)
      .map((other) => `${(rate / contenders.get(other).rate).toFixed(2)} ${other}`);
    return [
      `  ${name.padEnd(12)} ${number(rate).padStart(6)}/s  CPU ${number(node)} + ${number(database)} µs`,
      `${number(statements)} statements`,
      `p50 ${number(p50)} p99 ${number(p99)} ms`,
      `± ${(spread * 100).toFixed(0)} %`,
      ratios.join(", "),
      Object.keys(statuses).join(" ") + (errors > 0 ? `, ${errors} errors` : ""),
      sameBytes ? "same bytes" : "same data",
    ]
      .filter(Boolean)
      .join("; ");
  });
  return [`${path.title} (${path.name})`, ...lines].join("\n");
}
