import { lstatSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { withClient } from "../../src/database/connection/with-client";
import { seedDemo } from "../../src/demo";
import {
  entryFields,
  type CatalogueEntry,
} from "../../src/services/catalogue/import-export/entries";
import { exportCatalogue } from "../../src/services/catalogue/import-export/export-catalogue";
import { csv, green, useCatalogueFiles } from "./catalogue-files";
import { failed, tea } from "./terminal";

const files = useCatalogueFiles();
const { folder, catalogue, imported, sql } = files;

describe("an export", () => {
  test("refuses to overwrite a file, unless it is told to", async () => {
    const file = folder.write("exists.csv", "as it was");
    const refusal = failed(`error: ${file} exists already: add --force to overwrite it\n`);
    for (const command of ["catalogue", "orders", "subscribers", "customers"]) {
      const environment = { DATABASE_URL: files.database.url };
      const whose = command === "customers" ? ["ada@example.com"] : [];
      expect(await tea([command, "export", ...whose, file], { environment })).toEqual(refusal);
      expect(folder.read("exists.csv")).toBe("as it was");
    }
    symlinkSync("none", folder.path("nowhere.csv"));
    const { stderr } = await catalogue(["export", folder.path("nowhere.csv")]);
    expect(stderr).toContain("nowhere.csv exists already");
  });

  test("with --force replaces a file when it is complete, and leaves nothing else behind", async () => {
    await imported(csv(green));
    const { stdout: whole } = await catalogue(["export", "--format", "csv"]);
    expect(whole).toContain(`\n${green}`);
    folder.write("old.csv", "old");
    await catalogue(["export", folder.path("old.csv"), "--force"]);
    expect(folder.read("old.csv")).toBe(whole);
    folder.write("linked.csv", "old");
    symlinkSync("linked.csv", folder.path("link.csv"));
    await catalogue(["export", folder.path("link.csv"), "--force"]);
    expect(folder.read("linked.csv")).toBe(whole);
    expect(lstatSync(folder.path("link.csv")).isSymbolicLink()).toBe(true);
    await catalogue(["export", folder.path("private.csv")]);
    expect(statSync(folder.path("private.csv")).mode & 0o077).toBe(0);
    for (const [name, fault] of [
      ["no/such.csv", "ENOENT"],
      ["old.csv/below.csv", "ENOTDIR"],
      [`${"long".repeat(62)}.csv`, "ENAMETOOLONG"], // with what an unfinished file is called
      [".", "EISDIR"],
    ] as const) {
      const file = folder.path(name);
      const { stderr, exitCode } = await catalogue(["export", file, "--format", "csv"]);
      const said = expect.stringContaining(`error: ${file} can't be used: ${fault}`);
      expect([exitCode, stderr]).toEqual([1, said]);
    }
    const names = await readdir(folder.path("."));
    expect(names.filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("shows one moment, while others change the catalogue", async () => {
    await seedDemo(files.database.url);
    const entries: CatalogueEntry[] = [];
    await withClient(files.database.url, (client) =>
      exportCatalogue(client, async (batches) => {
        for await (const batch of batches) {
          entries.push(...batch);
          await sql(
            `WITH added AS (
               INSERT INTO categories (slug, name) SELECT 'c' || count(*), 'C' FROM categories RETURNING id
             ) UPDATE products SET category_id = (SELECT id FROM added)`,
          );
        }
      }),
    );
    const slugs = entries.flatMap(({ type, slug }) => (type === "category" ? slug : []));
    const used = entries.flatMap((entry) => (entry.type === "product" ? entry["category"] : []));
    expect([slugs.length, used.length]).toEqual([8, 60]);
    expect(new Set(used)).toEqual(new Set(slugs));
  });

  test("has every column, but ids and what the database makes", async () => {
    const columns = await sql<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'products'",
    );
    const made = ["id", "updated_at", "search_text", "category_id", "version"];
    const own = columns.map(({ name }) => name).filter((name) => !made.includes(name));
    const fields = own.map((name) => name.replace(/_a/, "A"));
    expect([...entryFields.product].sort()).toEqual([...fields, "type", "category"].sort());
  });

  test("has the columns that its documentation has, in that order", async () => {
    const text = readFileSync(path.join(__dirname, "../../docs/catalogue-files.md"), "utf8");
    const [, chapter = ""] = text.split("\n## The catalogue\n");
    const [table = ""] = chapter.split("\n```");
    const documented = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    const { stdout } = await catalogue(["export", "--format", "csv"]);
    expect(stdout).toBe(`${documented.join()}\n`);
  });
});
