import type { Meter } from "../../vocabulary/meter";
import type { ObservedStatement, StatementObserver } from "../connection/observed-client";

/** The first words of statements; what begins with another word is counted together. */
const kinds: ReadonlySet<string> = new Set([
  "select",
  "with",
  "insert",
  "update",
  "delete",
  "begin",
  "commit",
  "rollback",
]);

/** Tells the meter of every statement that has ended. */
export const statementMeter = (meter: Pick<Meter, "statementEnded">): StatementObserver => {
  return (statement) => {
    const name = nameOf(statement);
    const started = performance.now();
    return (hasFailed) =>
      meter.statementEnded(name, (performance.now() - started) / 1000, hasFailed);
  };
};

function nameOf({ name, text = "" }: ObservedStatement): string {
  if (name !== undefined) return name;
  const word = text.trimStart().slice(0, 9).split(/\W/, 1)[0]?.toLowerCase() ?? "";
  return kinds.has(word) ? word : "other";
}
