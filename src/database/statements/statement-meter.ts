import type { Meter } from "../../vocabulary/meter";
import type { ObservedStatement, StatementObserver } from "../connection/observed-client";

/** First words by which statements are counted. Statements with any other first word are counted together. */
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

/** Reports every ended statement to the meter. */
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
