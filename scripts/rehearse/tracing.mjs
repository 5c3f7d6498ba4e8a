// Runs the built service with OpenTelemetry's packages, by the variables that docs/monitoring.md names, and
// prints the spans that a collector gets: node scripts/rehearse/tracing.mjs
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { Collector } from "./tracing/collector.mjs";

const ROOT = path.join(import.meta.dirname, "../..");
const PACKAGES = path.join(import.meta.dirname, "tracing");
const REGISTER = path.join(
  PACKAGES,
  "node_modules/@opentelemetry/auto-instrumentations-node/build/src/register.js",
);
/** Milliseconds until the spans of a request have been exported. */
const PATIENCE = 30_000;
/** What a traced client sends (W3C Trace Context), by request. */
const TRACES = { rest: "a".repeat(32), graphql: "b".repeat(32) };
const traceparent = (trace) => `00-${trace}-00f067aa0ba902b7-01`;

/** Libraries of which each request must have spans. */
const WANTED = { rest: ["http", "express", "pg"], graphql: ["http", "express", "graphql", "pg"] };

if (!existsSync(REGISTER)) await run("npm", ["--prefix", PACKAGES, "--silent", "ci", "--no-audit"]);
await run(process.execPath, [path.join(ROOT, "scripts/build.mjs")]);
// These use what was built.
const { Cleanup } = await import("../../bench/support/cleanup.mjs");
const { call } = await import("../../bench/support/http.mjs");
const { Postgres } = await import("../../bench/support/postgres.mjs");
const { until } = await import("../../bench/support/processes.mjs");
const { freePort, Service } = await import("../../bench/support/service.mjs");

const cleanup = new Cleanup();
try {
  const collector = new Collector();
  const endpoint = await collector.start(cleanup);
  const databaseUrl = await (await Postgres.start(cleanup)).createDatabase();
  const settings = {
    NODE_OPTIONS: `--require ${REGISTER}`,
    OTEL_SERVICE_NAME: "tea-shop",
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
    OTEL_NODE_ENABLED_INSTRUMENTATIONS: "http,express,graphql,pg",
    OTEL_NODE_RESOURCE_DETECTORS: "env",
  };
  const port = await freePort();
  const service = await new Service({ databaseUrl, port, settings }, cleanup).ready();
  await call(service.url, {
    path: "/products/1",
    headers: { traceparent: traceparent(TRACES.rest) },
  });
  await call(service.url, {
    method: "POST",
    path: "/graphql",
    headers: { traceparent: traceparent(TRACES.graphql) },
    json: { query: "query Tea { product(id: 1) { name category { name } } }" },
  });
  const missing = () =>
    Object.entries(WANTED).flatMap(([request, libraries]) => {
      const seen = collector.of(TRACES[request]).map(({ library }) => library);
      return libraries.filter((each) => !seen.includes(each)).map((each) => `${request}: ${each}`);
    });
  await until(() => missing().length === 0, PATIENCE, "All spans").catch(() => undefined);
  await service.stop(); // the packages export what is left when the process ends
  for (const [request, trace] of Object.entries(TRACES)) print(request, collector.of(trace));
  for (const each of missing()) {
    console.error(`No span of ${each}`);
    process.exitCode = 1;
  }
} catch (fault) {
  console.error(fault);
  process.exitCode = 1;
} finally {
  await cleanup.run();
}
process.exit();

function print(request, spans) {
  console.log(`\nThe trace of a request at ${request}:`);
  for (const { depth, library, name, milliseconds } of spans) {
    const time = `${milliseconds.toFixed(2).padStart(8)} ms`;
    console.log(`${time}  ${"  ".repeat(depth)}${library}: ${name}`);
  }
}

async function run(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}
