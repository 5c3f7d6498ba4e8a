import type { Client } from "pg";
import { BadLines, type BadLine } from "./bad-lines";
import { readEntry, type FileLine } from "./read-entry";
import { createStaging, endStaging, stage, type StagedEntry } from "./staging";

/** Reads all lines of a file into the temporary table, and returns those that break a rule. */
export async function stageLines(
  client: Client,
  lines: AsyncIterable<readonly FileLine[]>,
): Promise<BadLines> {
  const badLines = new BadLines();
  await createStaging(client);
  for await (const batch of lines) {
    const staged: StagedEntry[] = [];
    const bad: BadLine[] = [];
    for (const line of batch) {
      const read = readEntry(line);
      if ("entry" in read) {
        staged.push({ line: line.line, ...read });
        continue;
      }
      const { reason, category: slug } = read;
      bad.push({ line: line.line, reason });
      // Staged nevertheless, so that the category's products are not refused as well.
      if (slug !== undefined) {
        staged.push({ line: line.line, entry: { type: "category", slug }, isDerived: false });
      }
    }
    badLines.add(bad);
    await stage(client, staged);
  }
  await endStaging(client);
  return badLines;
}
