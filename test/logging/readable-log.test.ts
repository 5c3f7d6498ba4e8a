import { stripVTControlCharacters } from "node:util";
import { readableLog } from "../../src/local/readable-log";
import { createLogger } from "../../src/observability/log/request-log";

/** What a person sees of what is logged, without colours. */
async function shown(members: object, message: string): Promise<string> {
  let text = "";
  const say = (line: string): void => void (text += `${line}\n`);
  const terminal = { isInteractive: true, say, step: () => undefined };
  createLogger("info", await readableLog(terminal)).info(members, message);
  return stripVTControlCharacters(text);
}

const request = { id: "7", method: "GET", path: "/products", status: 200, milliseconds: 3 };

test.each([
  ["a request", request, "answered", /INFO: GET \/products 200 in 3 ms {"id":"7"}\n$/],
  ["a request that broke off", request, "cut off", /GET \/products 200 in 3 ms \(cut off\)/],
  [
    "a fault",
    { id: "7", operation: "Tea", path: "tea.name", err: new Error("boom") },
    "unexpected failure",
    /unexpected failure at tea\.name .*"operation":"Tea"[^]*boom[^]*at /,
  ],
  [
    "a slow statement",
    { milliseconds: 70, statement: "SELECT $1" },
    "slow statement",
    /slow statement: 70 ms {"statement":"SELECT \$1"}/,
  ],
])("a person sees %s", async (_, members, message, expected) => {
  expect(await shown(members, message)).toMatch(expected);
});

test("what a terminal would obey is not shown", async () => {
  const text = await shown({ path: "/\u001b[2J\u009b2J" }, "a\u0007b");
  for (const character of ["\u0007", "\u001b", "\u009b"]) expect(text).not.toContain(character);
});

const fail = (): never => {
  throw new Error("Nothing is said");
};

test("a program gets the lines as they are", async () => {
  expect(await readableLog({ isInteractive: false, say: fail, step: fail })).toBeUndefined();
});
