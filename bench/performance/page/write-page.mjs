import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { format } from "prettier";

const DOCS = path.join(import.meta.dirname, "../../../docs");

/** Replaces the parts of docs/performance.md between `<!-- name -->` and `<!-- /name -->`. */
export async function writePage(parts) {
  const file = path.join(DOCS, "performance.md");
  let text = await readFile(file, "utf8");
  for (const [name, part] of Object.entries(parts)) {
    const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (after === undefined) throw new Error(`${file} has no place for ${name}`);
    text = `${before}${begin}\n\n${part}\n\n${end}${after}`;
  }
  await writeFile(file, await format(text, { parser: "markdown", printWidth: 100 }));
}

/** Writes the chart of docs/performance.md. */
export const writeChart = (svg) => writeFile(path.join(DOCS, "performance.svg"), `${svg}\n`);
