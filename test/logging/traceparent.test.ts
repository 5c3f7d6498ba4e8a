import { traceOf } from "../../src/http/request/request-headers";
import { useApp } from "../support/app";
import { searchLog } from "../support/log-lines";
import { send } from "../support/raw-http";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const valid = `00-${TRACE}-${PARENT}-01`;

test.each([
  ["version 00", valid],
  ["other flags", `00-${TRACE}-${PARENT}-fe`],
  ["a later version", `cc-${TRACE}-${PARENT}-01`],
  ["a later version that has more", `cc-${TRACE}-${PARENT}-01-what-will-be`],
])("a traceparent is read: %s", (_, header) => {
  expect(traceOf(header)).toEqual({ trace_id: TRACE, parent_id: PARENT });
});

test.each([
  ["version ff", `ff-${TRACE}-${PARENT}-01`],
  ["no version", `${TRACE}-${PARENT}-01`],
  ["more than version 00 has", `${valid}-more`],
  ["more without a dash", `cc-${TRACE}-${PARENT}-01.`],
  ["no flags", `00-${TRACE}-${PARENT}`],
  ["a trace of zeros", `00-${"0".repeat(32)}-${PARENT}-01`],
  ["a parent of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
  ["capital letters", valid.toUpperCase()],
  ["blanks", ` ${valid}`],
  ["two headers in one", `${valid}, ${valid}`],
  ["something long", "0".repeat(100_000)],
])("a traceparent is ignored: %s", (_, header) => {
  expect(traceOf(header)).toBeUndefined();
});

describe("in the log", () => {
  const app = useApp();

  test("each line of a request has its trace, and a search for the trace finds it", async () => {
    await app.sql("ALTER TABLE products RENAME COLUMN description TO gone");
    const headers = { traceparent: valid };
    await send(app.url, { method: "GET", path: "/products", headers });
    await app.sql("ALTER TABLE products RENAME COLUMN gone TO description");
    const lines = await searchLog(app, TRACE);
    expect(lines.map(({ level }) => level)).toEqual(["error", "info"]);
    for (const line of lines) expect(line).toMatchObject({ trace_id: TRACE, parent_id: PARENT });
  });

  test("a trace that is not valid is not logged", async () => {
    const headers = { traceparent: `00-${TRACE}-x`, "x-request-id": "not-traced" };
    await send(app.url, { method: "GET", path: "/products", headers });
    expect(Object.keys((await searchLog(app, "not-traced"))[0]!)).not.toContain("trace_id");
  });
});
