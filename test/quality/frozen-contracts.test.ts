import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { askScript } from "./ask-script";

const root = path.resolve(__dirname, "../..");

/** A project with nothing but the frozen contracts, the version and the changelog. */
let project: string;
beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), "tea-shop-contracts-"));
  cpSync(path.join(root, "contracts/0.1.0"), place("contracts/0.1.0"), { recursive: true });
  const sums = read(path.join(root, "contracts/SHA256SUMS"));
  write("contracts/SHA256SUMS", sums.replace(/^.* {2}(?!0\.1\.0\/).*\n/gm, ""));
  write("package.json", JSON.stringify({ version: "0.1.0" }));
  write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n");
});
afterEach(() => rmSync(project, { recursive: true }));

const read = (name: string): string => readFileSync(name, "utf8");
const place = (name: string): string => path.join(project, name);
const write = (name: string, text: string): void => writeFileSync(place(name), text);

const faults = (): unknown => askScript("breaking/frozen.mjs", "frozenFaults", [[project]])[0];

test("frozen contracts stay as they were released, and no file joins them", () => {
  expect(faults()).toEqual([]);

  write("contracts/0.1.0/openapi.json", read(place("contracts/0.1.0/openapi.json")).trim());
  write("contracts/0.1.0/notes.md", "");
  rmSync(place("contracts/0.1.0/schema.graphql"));
  const only = "only npm run release writes there";
  expect(faults()).toEqual([
    `contracts/0.1.0/notes.md is not listed in SHA256SUMS; ${only}`,
    `contracts/0.1.0/openapi.json was changed after its release; ${only}`,
    `contracts/0.1.0/schema.graphql is gone; ${only}`,
  ]);
});

test("the sums are there, and the version is that of the newest contracts", () => {
  rmSync(place("contracts/SHA256SUMS"));
  write("package.json", JSON.stringify({ version: "0.2.0" }));
  expect(faults()).toEqual([
    expect.stringContaining("contracts/0.1.0/openapi.json is not listed in SHA256SUMS"),
    expect.stringContaining("contracts/0.1.0/schema.graphql is not listed in SHA256SUMS"),
    "package.json has version 0.2.0, but contracts/ ends with 0.1.0",
  ]);
});

test("versions are compared by their numbers", () => {
  for (const version of ["0.10.0", "0.9.0"]) {
    cpSync(place("contracts/0.1.0"), place(`contracts/${version}`), { recursive: true });
  }
  write("contracts/0.10.0/schema.graphql", "type Query { newest: Int }");
  expect(askScript("breaking/frozen.mjs", "newestContracts", [[project]])).toEqual([
    expect.objectContaining({ version: "0.10.0", "schema.graphql": "type Query { newest: Int }" }),
  ]);
});

interface Changes {
  readonly faults: readonly string[];
  readonly notices: readonly string[];
}

function changes(): Changes {
  const [schema, openapi] = ["schema.graphql", "openapi.json"].map((name) =>
    read(place(`contracts/0.1.0/${name}`)),
  );
  const texts = {
    "openapi.json": openapi,
    "schema.graphql": schema!.replace("enum ProductSortField {", "enum ProductSortField { STOCK "),
  };
  expect(texts["schema.graphql"]).not.toBe(schema);
  const [answer] = askScript("breaking/changes.mjs", "changesSinceRelease", [[project, texts]]);
  return answer as Changes;
}

test("a dangerous change is told, and needs a line under Unreleased with its path", () => {
  const needed = "CHANGELOG.md needs a line with ProductSortField.STOCK under Unreleased";
  const elsewhere = "\n## [0.1.0] - 2026-01-01\n\n- `ProductSortField.STOCK`\n";
  const unreleased = (line: string): string => `# Changelog\n\n## [Unreleased]\n\n${line}\n`;

  write(
    "CHANGELOG.md",
    unreleased("- `ProductSortField.STOCKS`, `X.ProductSortField.STOCK`") + elsewhere,
  );
  expect(changes().faults).toEqual([needed]);

  write("CHANGELOG.md", unreleased("- Products by stock (`ProductSortField.STOCK`).") + elsewhere);
  const { faults: none, notices } = changes();
  expect(none).toEqual([]);
  expect(notices).toEqual([
    "schema.graphql, dangerous: ProductSortField.STOCK: Enum value 'STOCK' was added to enum 'ProductSortField' (ENUM_VALUE_ADDED)",
  ]);
});
