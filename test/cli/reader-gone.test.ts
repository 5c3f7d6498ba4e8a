/** @check */

import { spawnSync } from "node:child_process";
import path from "node:path";
import { createDatabase, query, type TestDatabase } from "../support/database";
import { products } from "./beside";
import { useFolder } from "./folder";

/** What a shell says of a program that SIGPIPE has ended. */
const ENDED_BY_SIGPIPE = 141;

const MAIN = path.join(__dirname, "../../dist/cli/main.js");

const folder = useFolder();
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  // More of everything than a pipe holds.
  await query(
    database.url,
    `WITH numbers AS (SELECT n FROM generate_series(1, 5000) n),
      category AS (INSERT INTO categories (slug, name) VALUES ('c', 'C') RETURNING id),
      products AS (INSERT INTO products (slug, name, price, category_id)
        SELECT 'p' || n, 'P', 1, id FROM numbers, category),
      orders AS (INSERT INTO orders (customer_email, total_amount)
        SELECT 'eve' || n || '@example.com', 1 FROM numbers)
    INSERT INTO newsletter_subscribers (email) SELECT 'eve' || n || '@example.com' FROM numbers`,
  );
});
afterAll(() => database.drop());

/** Runs a script of bash in which `tea` stands for the command. */
function shell(script: string, command: string) {
  const words = [process.execPath, MAIN, ...command.split(" ")];
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["--norc", "-o", "pipefail", "-c", script.replace("tea", '"$0" "$@"'), ...words],
    { env: { DATABASE_URL: database.url }, encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

/** The reader has ended before the command begins. */
const toNobody = (command: string) => shell("exec 3> >(exec true); wait $!; tea >&3", command);

describe("an export whose reader goes away ends without a word", () => {
  test.each([
    ["catalogue export --format csv", "type,slug,name"],
    ["catalogue export --format jsonl", '{"type":"category"'],
    ["orders export --format csv", "orderId,status"],
    ["subscribers export --format csv", "email,isActive"],
    ["subscribers export --format csv /dev/stdout", "email,isActive"],
  ])("in the middle: %s", (command, first) => {
    expect(shell("tea | head -n 1", command)).toEqual({
      status: ENDED_BY_SIGPIPE,
      stdout: expect.stringMatching(new RegExp(`^${first}.*\n$`)),
      stderr: "",
    });
  });

  test("before its only line", () => {
    const outcome = { status: ENDED_BY_SIGPIPE, stdout: "", stderr: "" };
    expect(toNobody("orders export --format csv --before 2000-01-01")).toEqual(outcome);
  });
});

test("other commands finish what they do, even if nobody reads what they say", async () => {
  const file = folder.write("file.csv", products(2, "7"));
  expect(toNobody(`catalogue import ${file}`)).toMatchObject({
    status: ENDED_BY_SIGPIPE,
    stderr: "",
  });
  const stored = "SELECT slug FROM products WHERE price = 7 ORDER BY slug";
  expect(await query(database.url, stored)).toEqual([{ slug: "p1" }, { slug: "p2" }]);
});

test("a fault is told by its status if nobody reads the message", () => {
  const { status } = shell("exec 3> >(exec true); wait $!; tea >&3 2>&3", "catalogue import none");
  expect(status).toBe(1);
});

test.each(["orders export --format csv", "migrate status"])("can't store: %s", (command) => {
  const toNoRoom = `ulimit -f 0; tea > ${folder.path("full")}`; // macOS has no /dev/full
  expect(shell(toNoRoom, command)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^error: Standard output can't be used: EFBIG.*\n$/),
  });
});

test("input that can't be read is an error", () => {
  const toBeWritten = folder.path("input.csv");
  expect(shell(`tea 0> ${toBeWritten}`, "catalogue import - --format csv")).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(/^error: Standard input can't be used: EBADF.*\n$/),
  });
});
