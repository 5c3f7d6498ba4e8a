/** @check */

import path from "node:path";
import { createDatabase, type TestDatabase } from "../support/database";
import { builtRelease } from "../support/built-release";
import { parsedLog } from "../support/log-lines";
import { startProcess } from "../support/process";
import { exchange, send } from "../support/raw-http";
import { expectFirstLine, startService, type Service } from "../support/service";

let database: TestDatabase;
let service: Service;
beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { GRAPHQL_MAX_DEPTH: "3", SHARED_READS: "off" });
});
afterAll(() => database.drop());

test("the first line of a service, and /health/live, say what was built", async () => {
  expectFirstLine(service);
  const { body } = await send(service.url, { method: "GET", path: "/health/live" });
  expect(body).toEqual({ status: "ok", ...builtRelease() });
});

test("the line after it names settings of earlier releases that are still set", () => {
  const [, line] = parsedLog(service.printed("stdout").trim().split("\n"));
  expect(line).toMatchObject({
    level: "warn",
    msg: "settings that are gone, and have no effect: GRAPHQL_MAX_DEPTH, SHARED_READS",
  });
});

test("many requests over one connection print nothing but lines of the log", async () => {
  const query = "{ categories { id } }";
  const get = `GET /graphql?query=${encodeURIComponent(query)} HTTP/1.1\r\nHost: shop\r\n`;
  const answers = await exchange(
    service.url,
    `${get}\r\n`.repeat(20) + `${get}Connection: close\r\n\r\n`,
  );
  expect(answers.match(/^HTTP\/1.1 200 /gm)).toHaveLength(21);
  service.signal("SIGTERM");
  expect((await service.ended).code).toBe(0);
  expect(service.printed("stderr")).toBe("");
  const lines = parsedLog(service.printed("stdout").trim().split("\n"));
  expect(lines.map(({ msg }) => msg)).not.toContain("Node warns");
});

test("what Node warns of is a line of the log", async () => {
  const modules = ["request-log", "library-warnings"].map((name) =>
    JSON.stringify(path.join(__dirname, `../../dist/observability/log/${name}.js`)),
  );
  const [logger, warnings] = modules;
  const program = `
    require(${warnings}).logNodeWarnings(require(${logger}).createLogger("info"));
    process.emitWarning("of something", "TestWarning");`;
  const child = startProcess(["-e", program]);
  expect((await child.ended).code).toBe(0);
  expect(child.printed("stderr")).toBe("");
  expect(parsedLog(child.printed("stdout").trim().split("\n"))).toEqual([
    expect.objectContaining({
      level: "warn",
      msg: "Node warns",
      err: expect.objectContaining({ type: "TestWarning", message: "of something" }),
    }),
  ]);
});

test("what a process logs before it exits at once is written", async () => {
  const logger = path.join(__dirname, "../../dist/observability/log/request-log.js");
  const program = `require(${JSON.stringify(logger)}).createLogger("info").error("last words"); process.exit(1)`;
  const child = startProcess(["-e", program]);
  expect((await child.ended).code).toBe(1);
  expect(parsedLog(child.printed("stdout").trim().split("\n"))).toEqual([
    expect.objectContaining({ level: "error", msg: "last words" }),
  ]);
});
