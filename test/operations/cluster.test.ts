import { builtRelease } from "../support/built-release";
import { createDatabase, type TestDatabase } from "../support/database";
import { expectFirstLine, startService, type Service } from "../support/service";

jest.setTimeout(60_000);

let database: TestDatabase;
let service: Service;
beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { WEB_CONCURRENCY: "2" });
});
afterAll(() => database.drop());

test("their first line, which is that of all, and /health/live say what was built", async () => {
  expectFirstLine(service);
  const live = await fetch(`${service.url}/health/live`);
  expect(await live.json()).toEqual({ status: "ok", ...builtRelease() });
});

test("SIGTERM ends the service in order", async () => {
  service.signal("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
});
