import { readFileSync } from "node:fs";
import path from "node:path";

/** The page that says what is built, clause by clause. */
export const CONTRACT = "docs/contract.md";

const SECTION = /^## (\d+)\. (.+)$/;
const CLAUSE = /^- <a id="([^"]*)"><\/a>\*\*([^*]*)\*\* \S/;
const ID = /^\d+(\.[a-z0-9-]+)+$/;

/**
 * The sections of the contract with the clauses of each, in their order. A clause is a list item that
 * begins with its id, once as an anchor and once in bold. Throws an Error that names file and line.
 */
export function contract(root) {
  const sections = [];
  const ids = new Set();
  const lines = readFileSync(path.join(root, CONTRACT), "utf8").split("\n");
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const fail = (message) => {
      throw new Error(`${CONTRACT}:${line}: ${message}`);
    };
    const [, number, title] = SECTION.exec(text) ?? [];
    if (number) sections.push({ number, title, clauses: [] });
    if (!text.includes('<a id="')) continue;
    const [, id, shown] =
      CLAUSE.exec(text) ?? fail("not a clause: - <a id=…></a>**id** and a text");
    if (id !== shown) fail(`the anchor ${id} stands before ${shown}`);
    if (!ID.test(id)) fail(`not a section and a clause of it, such as 4.orders.3: ${id}`);
    if (ids.has(id)) fail(`${id} is there twice`);
    const section = sections.at(-1);
    if (id.split(".")[0] !== section?.number) fail(`${id} stands in another section`);
    ids.add(id);
    section.clauses.push({ id, line });
  }
  return sections;
}
