/** The series of a page of metrics by name and labels, as in `tea_logins_total{end="failed"}`. */
export function seriesIn(page: string): Map<string, number> {
  const lines = page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}
