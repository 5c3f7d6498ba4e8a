// Changes the sources in many small ways and lists the changes that no test notices: npm run mutants -- --mutate
// src/vocabulary/money.ts. Stryker starts Jest for each change, so all of them share a server.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const require = createRequire(import.meta.url);
const { startEmbeddedPostgres } = require(path.join(root, "dist/embedded-postgres/index.js"));

const dataDir = await mkdtemp(path.join(tmpdir(), "tea-shop-mutants-"));
const server = await startEmbeddedPostgres({ dataDir, password: "secret", durable: false });
const stryker = spawn("npx", ["stryker", "run", ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, TEST_DATABASE_URL: server.url() },
  stdio: "inherit",
});
process.on("SIGINT", () => stryker.kill("SIGINT"));
process.on("SIGTERM", () => stryker.kill("SIGTERM"));
const [code] = await once(stryker, "exit");
await server.remove();
process.exitCode = code ?? 1;
