import { Client, types } from "pg";
import { sendStatement, type StatementClient } from "../../src/database/statements/send-statement";
import { startApp, type TestApp } from "../support/app";

/** What a connection was told by its server, by pg's names of the messages. */
interface Session {
  readonly client: Client & StatementClient;
  readonly told: string[];
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const sessions: Client[] = [];
afterEach(() => Promise.all(sessions.splice(0).map((client) => client.end())));

async function session(): Promise<Session> {
  const client = new Client({ connectionString: app.database.url });
  await client.connect();
  sessions.push(client);
  const told: string[] = [];
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  for (const message of ["parseComplete", "rowDescription"]) {
    connection.on(message, () => told.push(message));
  }
  return { client: client, told };
}

const half = (value: unknown) => ({
  text: "SELECT 1.0 / $1::integer AS half, now() AS at",
  values: [value],
});

test("a named statement is parsed and described once, a nameless one each time", async () => {
  const { client, told } = await session();
  for (const value of [2, 4]) {
    const [row] = await sendStatement<{ half: string; at: Date }>(client, half(value), "half");
    expect(Number(row!.half)).toBe(1 / value);
    expect(row!.at).toBeInstanceOf(Date);
  }
  expect(told).toEqual(["parseComplete", "rowDescription"]);
  await sendStatement(client, half(2));
  await sendStatement(client, half(2));
  expect(told.slice(2)).toEqual(Array(2).fill(["parseComplete", "rowDescription"]).flat());
});

test("rows are those of the pg package, whatever their columns", async () => {
  const { client } = await session();
  const text = `SELECT $1::text AS t, $2::integer AS i, $3::bigint AS b, $4::numeric AS n, $5::boolean AS f,
    $6::jsonb AS j, $7::integer[] AS a, $8::bytea AS y, NULL AS nothing, 1 AS twice, 2 AS twice,
    now() AS now, '2026-01-02'::date AS d FROM generate_series(1, 3)`;
  const values = [
    "é",
    -7,
    "9007199254740993",
    "1.50",
    true,
    { a: [1] },
    [1, 2],
    Buffer.from([0, 255]),
  ];
  await client.query("BEGIN"); // now() is one time
  const { rows } = await client.query(text, values);
  expect(await sendStatement(client, { text, values })).toEqual(rows);
  expect(await sendStatement(client, { text, values }, "all kinds")).toEqual(rows);
  expect(await sendStatement(client, { text, values }, "all kinds")).toEqual(rows);
  await client.query("ROLLBACK");
});

test.each([
  ["while its values are read", "two", "22P02"],
  ["while it runs", 0, "22012"],
])("a statement whose first use fails %s works the next time", async (_when, value, code) => {
  const { client, told } = await session();
  await expect(sendStatement(client, half(value), "half")).rejects.toMatchObject({ code });
  expect(await sendStatement(client, half(4), "half")).toHaveLength(1);
  expect(await sendStatement(client, half(8), "half")).toHaveLength(1);
  expect(told).toEqual(["parseComplete", "rowDescription"]);
});

test("a failure after some rows is a failure, and leaves the connection as it was", async () => {
  const { client } = await session();
  const text = "SELECT 1 / (3 - n) AS part FROM generate_series(1, 4) AS n WHERE $1";
  const late = { text, values: [true] };
  await expect(sendStatement(client, late, "late")).rejects.toMatchObject({ code: "22012" });
  expect(await sendStatement(client, { text, values: [false] }, "late")).toEqual([]);
});

test("one name for two statements is refused, not answered with the other's rows", async () => {
  const { client } = await session();
  const other = { text: "SELECT $1::integer AS other", values: [1] };
  await sendStatement(client, half(2), "half");
  await expect(sendStatement(client, other, "half")).rejects.toThrow('named "half"');
  expect(await sendStatement(client, other)).toEqual([{ other: 1 }]);
});

test("columns of another type are PostgreSQL's error, not rows that are read wrongly", async () => {
  const { client } = await session();
  await client.query("CREATE TEMPORARY TABLE jars (tea integer)");
  await client.query("INSERT INTO jars VALUES (1)");
  const jars = { text: "SELECT * FROM jars", values: [] };
  expect(await sendStatement(client, jars, "jars")).toEqual([{ tea: 1 }]);
  await client.query("ALTER TABLE jars ALTER tea TYPE text");
  await expect(sendStatement(client, jars, "jars")).rejects.toMatchObject({ code: "0A000" });
});

test("a value that can't be read fails its statement alone", async () => {
  const { client } = await session();
  client.setTypeParser(types.builtins.TEXT, () => {
    throw new Error("unreadable");
  });
  const texts = { text: "SELECT $1::text AS text FROM generate_series(1, 2)", values: ["tea"] };
  await expect(sendStatement(client, texts)).rejects.toThrow("unreadable");
  expect(await sendStatement(client, { text: "SELECT 1 AS one", values: [] })).toEqual([
    { one: 1 },
  ]);
});

test("a value that can't be sent fails its statement alone", async () => {
  const { client } = await session();
  const unsendable = {
    toPostgres: () => {
      throw new Error("unsendable");
    },
  };
  await expect(sendStatement(client, half(unsendable), "half")).rejects.toThrow("unsendable");
  expect(await sendStatement(client, half(2), "half")).toHaveLength(1);
});

test("copying is refused, and the connection goes on", async () => {
  const { client } = await session();
  await client.query("CREATE TEMPORARY TABLE jars (tea integer)");
  const copy = { text: "COPY jars FROM STDIN", values: [] };
  await expect(sendStatement(client, copy)).rejects.toMatchObject({ code: "57014" });
  expect(await sendStatement(client, { text: "SELECT 1 AS one", values: [] })).toEqual([
    { one: 1 },
  ]);
});

test.each([
  "2026-11-22 10:31:37.123456+00",
  "2026-11-22 10:31:37+00",
  "2026-02-28 23:59:59.9+00",
  "2024-02-29 00:00:00.000999+00",
  "0001-01-01 00:00:00+00",
  "0099-12-31 23:59:59.99+00",
  "0100-01-01 00:00:00.001+00",
  "9999-12-31 23:59:59.999999+00",
  "10000-01-01 00:00:00+00",
  "0044-03-15 12:00:00+00 BC",
  "infinity",
  "-infinity",
])("the time %s is that of the pg package", async (time) => {
  const { client } = await session();
  await client.query("SET TimeZone = 'UTC'");
  const statement = { text: "SELECT $1::timestamptz AS at", values: [time] };
  const { rows } = await client.query(statement.text, statement.values);
  expect(await sendStatement(client, statement)).toEqual(rows);
  await client.query("SET TimeZone = 'Asia/Kathmandu'");
  expect(await sendStatement(client, statement)).toEqual(rows);
});
