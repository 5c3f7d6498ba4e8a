import path from "node:path";
import { createDatabase, type TestDatabase } from "../support/database";
import { builtRelease } from "../support/built-release";
import { parsedLog } from "../support/log-lines";
import { startProcess } from "../support/process";
import { send } from "../support/raw-http";
import { startService } from "../support/service";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

test.each(["1", "2"])(
  "the first line of a service, and /health/live, say what was built; processes: %s",
  async (WEB_CONCURRENCY) => {
    const service = await startService(database.url, { WEB_CONCURRENCY });
    const lines = parsedLog(service.printed("stdout").trim().split("\n"));
    expect(lines[0]).toEqual({
      level: "info",
      time: expect.any(String),
      msg: "starting",
      node: process.version,
      ...builtRelease(),
    });
    expect(lines.filter(({ msg }) => msg === "starting")).toHaveLength(1);
    const { body } = await send(service.url, { method: "GET", path: "/health/live" });
    expect(body).toEqual({ status: "ok", ...builtRelease() });
    service.signal("SIGTERM");
    expect((await service.ended).code).toBe(0);
  },
);

test("what a process logs before it exits at once is written", async () => {
  const logger = path.join(__dirname, "../../dist/observability/log/logger.js");
  const program = `require(${JSON.stringify(logger)}).createLogger("info").error("last words"); process.exit(1)`;
  const child = startProcess(["-e", program]);
  expect((await child.ended).code).toBe(1);
  expect(parsedLog(child.printed("stdout").trim().split("\n"))).toEqual([
    expect.objectContaining({ level: "error", msg: "last words" }),
  ]);
});
