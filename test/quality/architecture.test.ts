import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(__dirname, "../..");

test("ARCHITECTURE.md names every folder of src", () => {
  const page = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  const folders = readdirSync(path.join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `\`src/${name}\``);
  expect(folders.filter((folder) => !page.includes(folder))).toEqual([]);
});
