/** A Markdown table. */
export const markdown = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Whether a target is reached, for a table. */
export const verdict = (isReached) => (isReached ? "reached" : "**not reached**");
