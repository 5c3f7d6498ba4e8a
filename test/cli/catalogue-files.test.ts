import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { withClient } from "../../src/database/with-client";
import { seedDemo } from "../../src/demo";
import { entryFields, type CatalogueEntry } from "../../src/services/catalogue/transfer/entries";
import { exportCatalogue } from "../../src/services/catalogue/transfer/export-catalogue";
import { createDatabase, query, type TestDatabase } from "../support/database";
import { useFolder } from "./folder";
import { tea, type Outcome, type Situation } from "./terminal";

const HEADER = "type,slug,name,isActive,createdAt,category,price,description";

const folder = useFolder();
let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

const catalogue = (args: string[], situation: Situation = {}, { url } = database) =>
  tea(["catalogue", ...args], { ...situation, environment: { DATABASE_URL: url } });

const sql = <Row extends object>(statement: string, values?: unknown[]): Promise<Row[]> =>
  query<Row>(database.url, statement, values);

/** The version of the catalogue: it differs after every transaction that may have changed the catalogue. */
const version = () =>
  sql("SELECT changes, marks, (SELECT count(*) FROM catalogue_changes) FROM catalogue_state");

const stored = async () => [
  await sql("SELECT * FROM categories ORDER BY id"),
  await sql("SELECT * FROM products ORDER BY id"),
];

const imported = (text: string | Buffer, ...options: string[]): Promise<Outcome> =>
  catalogue(["import", "-", "--format", "csv", ...options], { input: text });

const csv = (...lines: string[]): string => [HEADER, ...lines, ""].join("\n");

const green = "category,green,Green,true,2024-05-01T12:00:00.000Z,,,";

/** Texts that a spreadsheet, a parser or a terminal could get wrong. */
const oddTexts = [
  "",
  ...["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "''@a", "'", "''"],
  ...["'Twas", "-", 'a "quoted" word', '"', ",", ";", " blank ", "a\nb", "a\r\nb", "a\rb", "\r"],
  ...["Grüner Tee – 緑茶 🍵", "\u2028\u2029", "\ufeffmark", "a\u0001\u007f", "true", "0012", "1e5"],
  "\\n",
  "😀".repeat(5000),
];

describe.each(["csv", "jsonl"])("a file of %s", (format) => {
  const file = `catalogue.${format}`;

  test("comes out of the same and of an empty database as it went in", async () => {
    await seedDemo(database.url);
    const out = await catalogue(["export", folder.path(file)]);
    expect(out).toEqual({ exitCode: 0, stdout: "Exported 68 entries\n", stderr: "" });
    const before = [await stored(), await version()];

    const unchanged = "Categories: 0 created, 0 changed, 8 unchanged\n";
    const same = await catalogue(["import", folder.path(file)]);
    expect(same.stdout).toBe(`${unchanged}Products: 0 created, 0 changed, 60 unchanged\n`);
    expect([await stored(), await version()]).toEqual(before);

    const empty = await createDatabase();
    const into = await catalogue(["import", folder.path(file)], {}, empty);
    expect(into).toMatchObject({ exitCode: 0, stderr: "" });
    expect(into.stdout).toMatch(/Categories: 8 created.*\nProducts: 60 created, 0 changed/);
    await catalogue(["export", folder.path(`2.${file}`)], {}, empty);
    expect(folder.read(`2.${file}`)).toBe(folder.read(file));
    await empty.drop();
  });

  test("keeps every character, and the order of entries of the same time and name", async () => {
    await sql("INSERT INTO categories (slug, name) VALUES ('b', '=Same'), ('a', '=Same')");
    for (const [index, text] of oddTexts.entries()) {
      await sql(
        `INSERT INTO products (slug, name, description, price, category_id, created_at)
         SELECT $1, $2, $3, 0.5, id, '1999-12-31T23:59:59.999Z' FROM categories WHERE slug = 'a'`,
        [`p${99 - index}`, text.trim().slice(0, 100) || "Same", text],
      );
    }
    const { stdout } = await catalogue(["export", "--format", format]);
    const empty = await createDatabase();
    const into = await catalogue(["import", "-", "--format", format], { input: stdout }, empty);
    expect(into).toMatchObject({ exitCode: 0 });
    expect((await catalogue(["export", "--format", format], {}, empty)).stdout).toBe(stdout);
    const texts = await query<{ text: string }>(
      empty.url,
      "SELECT description AS text FROM products ORDER BY id",
    );
    expect(texts.map(({ text }) => text)).toEqual(oddTexts);
    await empty.drop();
  });

  test("of an empty catalogue is imported again", async () => {
    const { stdout, stderr } = await catalogue(["export", "--format", format]);
    expect([stdout, stderr]).toEqual([
      format === "csv" ? `${HEADER}\n` : "",
      "Exported 0 entries\n",
    ]);
    const again = await catalogue(["import", "-", "--format", format], { input: stdout });
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.stdout).toContain("Products: 0 created, 0 changed, 0 unchanged");
  });
});

test("no cell of CSV begins like a formula", async () => {
  await imported(csv(green, `product,p,'=HYPERLINK(1),true,,green,1,"@x"`));
  const { stdout } = await catalogue(["export", "--format", "csv"]);
  expect(stdout).toMatch(/^product,p,'=HYPERLINK\(1\),true,[^,]*,green,1.00,'@x$/m);
  const lines = (await catalogue(["export", "--format", "jsonl"])).stdout;
  expect(lines).toContain('"name":"=HYPERLINK(1)"');
});

describe("an import", () => {
  test("takes what spreadsheets make of a file: order, case, marks and ends of lines", async () => {
    const text = [
      "\ufeffslug,type,price,isActive,category,name,description",
      "",
      "p,product,1.5,TRUE,green,Ein Tee,",
      "green,category,,FALSE,,Grün,",
    ].join("\r\n");
    const outcome = await imported(Buffer.from(text));
    expect(outcome.stdout).toBe(
      [
        "create product p",
        "create category green",
        "Categories: 1 created, 0 changed, 0 unchanged",
        "Products: 1 created, 0 changed, 0 unchanged\n",
      ].join("\n"),
    );
    expect(
      await sql(
        "SELECT price, is_active, name, created_at > now() - interval '1 minute' AS new FROM products",
      ),
    ).toEqual([{ price: "1.50", is_active: true, name: "Ein Tee", new: true }]);
  });

  test("writes what differs and nothing else", async () => {
    await imported(
      csv(
        green,
        "category,black,Black,true,,,,",
        "product,a,A,true,,green,1,",
        "product,b,B,true,,green,2,x",
      ),
    );
    const before = await sql<object>("SELECT slug, updated_at FROM products ORDER BY slug");
    const text = csv(
      "category,green,Greens,true,,,,",
      "product,b,B,false,2020-01-01T00:00:00Z,black,2.10,y",
      "product,a,A,true,,green,1.00,",
    );
    const difference = [
      "change category green",
      '  name: "Green" → "Greens"',
      "change product b",
      "  isActive: true → false",
      expect.stringMatching(/^ {2}createdAt: ".*" → "2020-01-01T00:00:00.000Z"$/),
      '  category: "green" → "black"',
      '  price: "2.00" → "2.10"',
      '  description: "x" → "y"',
      "Categories: 0 created, 1 changed, 0 unchanged",
      "Products: 0 created, 1 changed, 1 unchanged",
    ];
    const untouched = [await stored(), await version()];
    const dry = await imported(text, "--dry-run");
    expect(dry).toMatchObject({ exitCode: 0, stderr: "" });
    expect(dry.stdout.split("\n")).toEqual([
      ...difference,
      "Nothing was stored, because this was a dry run",
      "",
    ]);
    expect([await stored(), await version()]).toEqual(untouched);

    expect((await imported(text)).stdout.split("\n")).toEqual([...difference, ""]);
    const after = await sql<object>("SELECT slug, updated_at FROM products ORDER BY slug");
    expect(after[0]).toEqual(before[0]);
    expect(after[1]).not.toEqual(before[1]);
    expect((await imported(text, "--dry-run")).stdout).toContain("0 changed, 2 unchanged");
  });

  test("shows a bounded difference, and of long texts where they differ", async () => {
    const rows = (end: string) =>
      Array.from(
        { length: 70 },
        (_, i) => `product,p${i},P,true,,green,1,${"x".repeat(500)}${end}`,
      );
    await imported(csv(green, ...rows("")));
    const { stdout } = await imported(csv(...rows("\u001b[2J")), "--dry-run");
    expect(stdout).toContain("and 20 more\n");
    expect(stdout.match(/^change/gm)).toHaveLength(50);
    expect(stdout).toContain(
      `  description: "…${"x".repeat(30)}" → "…${"x".repeat(30)}\\u001b[2J"\n`,
    );
  });

  test("keeps the lists right, and what is not in the file", async () => {
    await seedDemo(database.url);
    await imported(csv(green, "product,new-one,New,true,,green,1,"));
    expect(
      (await tea("lists check", { environment: { DATABASE_URL: database.url } })).exitCode,
    ).toBe(0);
    expect(await sql("SELECT count(*)::integer FROM products")).toEqual([{ count: 61 }]);
  });

  test("shows a bar on a terminal alone, on standard error", async () => {
    const file = folder.write("bar.csv", csv(green));
    const outcome = await catalogue(["import", file], { typed: [] });
    expect(outcome.stderr).toContain("100 %");
    expect(outcome.stdout).toMatch(/^create category green\nCategories/);
    expect((await catalogue(["import", file])).stderr).toBe("");
    expect((await catalogue(["export", folder.path("bar.jsonl")], { typed: [] })).stderr).toContain(
      "100 %",
    );
  });
});

describe("nothing is imported if", () => {
  /** Imports beside a line that is right, and expects to be told of the others. */
  const refused = async (text: string | Buffer, lines: string[], format = "csv") => {
    const outcome = await catalogue(["import", "-", "--format", format], { input: text });
    const count = lines.length === 1 ? "A line is" : `${lines.length} lines are`;
    expect(outcome).toEqual({
      exitCode: 1,
      stdout: lines.map((line) => `line ${line}\n`).join(""),
      stderr: `error: ${count} wrong; nothing was imported\n`,
    });
    expect(await stored()).toEqual([[], []]);
  };

  const time = "must be a time in UTC such as 2024-05-01T12:30:00.000Z";
  const price = "must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places";
  const slug = "must be lower-case words of a-z and 0-9 joined by single hyphens";

  const csvLines = [
    ["tea,a,A,true,,green,1,", "type must be one of the following values: category, product"],
    ["product,A,A,true,,green,1,", `slug ${slug}`],
    ["product,,A,true,,green,1,", `slug ${slug}`],
    ["product,a,,true,,green,1,", "name should not be empty"],
    [
      `product,a,${"n".repeat(121)},true,,green,1,`,
      "name must be shorter than or equal to 120 characters",
    ],
    ["product,a,A\u0000,true,,green,1,", "name must be well-formed Unicode without NUL"],
    ["product,a,A,yes,,green,1,", "isActive must be a boolean value"],
    ["product,a,A,true,2024-02-30T00:00:00Z,green,1,", `createdAt ${time}`],
    ["product,a,A,true,2024-02-01,green,1,", `createdAt ${time}`],
    ["product,a,A,true,-006000-01-01T00:00:00Z,green,1,", `createdAt ${time}`],
    ["product,a,A,true,,green,1.005,", `price ${price}`],
    ["product,a,A,true,,green,,", `price ${price}`],
    ["product,a,A,true,,green,100000000,", `price ${price}`],
    ["product,a,A,true,,,1,", `category ${slug}`],
    ["product,a,A,true,,blue,1,", "category blue does not reference an existing category"],
    [
      `product,a,A,true,,green,1,${"d".repeat(5001)}`,
      "description must be shorter than or equal to 5000 characters",
    ],
    [
      "category,a,A,true,,green,1,",
      "property category should not exist; property price should not exist",
    ],
    ["category,green,Again,true,,,,", "slug green is in line 2 already"],
    ["product,a,A,true", "has 4 cells instead of 8"],
    [
      'product,a,A "B",true,,green,1,',
      "has a quote in the wrong place: a cell with quotes is quoted, and its quotes are doubled",
    ],
    [
      'product,a,"A" B,true,,green,1,',
      "has a quote in the wrong place: a cell with quotes is quoted, and its quotes are doubled",
    ],
    ['product,a,"A,true,,green,1,\n\nx', "begins a quoted cell that does not end"],
    [`product,a,A,true,,green,1,${"d".repeat(200_000)}`, "is too long, or a quote is missing"],
    ["product,a,,maybe,,green,1,", "name should not be empty; isActive must be a boolean value"],
  ] as const;

  test.each(csvLines.map(([line, reason]) => [reason, line]))(
    "a line of CSV: %s",
    async (reason, line) => {
      await refused(csv(green, line), [`3: ${reason}`]);
    },
  );

  const jsonLines = [
    ["{", "is not valid JSON"],
    ['{"type":"product"} {}', "is not valid JSON"],
    ["[1]", "is not a JSON object"],
    ["null", "is not a JSON object"],
    ['{"slug":"a"}', "type must be one of the following values: category, product"],
    [
      '{"type":"category","slug":"a","name":"\\ud800","isActive":true}',
      "name must be well-formed Unicode without NUL",
    ],
    [
      '{"type":"category","slug":"a","name":"A","isActive":"true"}',
      "isActive must be a boolean value",
    ],
    [
      '{"type":"category","slug":"a","name":"A","isActive":true,"__proto__":1}',
      "property __proto__ should not exist",
    ],
    [
      '{"type":"category","slug":"a","name":"A","isActive":true,"createdAt":null}',
      `createdAt ${time}`,
    ],
    [
      '{"type":"product","slug":"a","name":"A","isActive":true,"category":"green","price":0.12500000000000000001,"description":""}',
      `price ${price}`,
    ],
    [
      '{"type":"product","slug":"a","name":"A","isActive":true,"category":"green","price":1}',
      "description must be a string",
    ],
    [`{"type":"${"x".repeat(200_000)}"}`, "is too long"],
    ["[".repeat(100_000), "is not valid JSON"],
  ] as const;

  test.each(jsonLines.map(([line, reason]) => [reason, line]))(
    "a line of JSON: %s",
    async (reason, line) => {
      const first = '{"type":"category","slug":"green","name":"Green","isActive":true}';
      await refused(`${first}\n\n${line}\n`, [`3: ${reason}`], "jsonl");
    },
  );

  test("several are wrong, all of which are reported, and products of a wrong category are not", async () => {
    const lines = [
      "category,green,,true,,,,",
      'product,a,A,true,,green,1,"\n\n"',
      "product,a,A,true,,green,1,",
      "product,b,B,true,,green,x,",
    ];
    await refused(csv(...lines), [
      "2: name should not be empty",
      "6: slug a is in line 3 already",
      `7: price ${price}`,
    ]);
  });

  test("very many are wrong, the first of which are reported, and the number", async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => `product,p${index},P,true,,green,x,`);
    const unknown = Array.from({ length: 30 }, (_, index) => `product,q${index},P,true,,blue,1,`);
    const outcome = await imported(csv(green, ...lines, ...unknown));
    expect(outcome.stdout.split("\n").map((line) => line.slice(0, 7))).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `line ${index + 3}:`.slice(0, 7)),
      "and 2,5",
      "",
    ]);
    expect(outcome.stderr).toBe("error: 2,530 lines are wrong; nothing was imported\n");
    expect(await stored()).toEqual([[], []]);
  });

  test.each([
    ["", "The file is empty"],
    ["type;slug;name\n", 'unknown: "type;slug;name"; missing: "type", "slug"'],
    [`${HEADER},id\n${green},1\n`, '(unknown: "id")'],
    [
      "type,slug,slug,name,isActive,category,description\n",
      '(missing: "price"; more than once: "slug")',
    ],
  ])("the columns are wrong: %j", async (text, fault) => {
    const { exitCode, stdout, stderr } = await imported(text);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(fault);
  });

  test.each([
    ["in a line", Buffer.from([0xff]), 3],
    ["at the end", Buffer.from([0xe2, 0x82]), 3],
    ["of another encoding", Buffer.from("Grün", "latin1"), 3],
  ])("a byte is not UTF-8: %s", async (_, bytes, line) => {
    const { exitCode, stderr } = await imported(Buffer.concat([Buffer.from(csv(green)), bytes]));
    expect([exitCode, stderr]).toEqual([1, `error: Line ${line} is not UTF-8\n`]);
    expect(await stored()).toEqual([[], []]);
  });

  test("the file can't be read", async () => {
    for (const name of [folder.path("none.csv"), path.dirname(folder.path("x"))]) {
      const { exitCode, stderr } = await catalogue(["import", name, "--format", "csv"]);
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining(`error: ${name} can't be used: E`),
      ]);
    }
    const { stderr } = await catalogue(["import", "-"]);
    expect(stderr).toBe("error: The format has to be named: add --format csv or --format jsonl\n");
  });
});

describe("an export", () => {
  test("replaces a file when it is complete, and leaves nothing else behind", async () => {
    await imported(csv(green));
    folder.write("old.csv", "old");
    await catalogue(["export", folder.path("old.csv")]);
    expect(folder.read("old.csv")).toBe(csv(green));
    await catalogue(["export", folder.path("private.csv")]);
    expect(statSync(folder.path("private.csv")).mode & 0o077).toBe(0);
    const { stderr, exitCode } = await catalogue(["export", folder.path("no/such.csv")]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("can't be used: ENOENT")]);
    const names = await readdir(folder.path("."));
    expect(names.filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("shows one moment, while others change the catalogue", async () => {
    await seedDemo(database.url);
    const entries: CatalogueEntry[] = [];
    await withClient(database.url, (client) =>
      exportCatalogue(client, async ({ batches }) => {
        for await (const batch of batches) {
          entries.push(...batch);
          await sql(
            `WITH added AS (
               INSERT INTO categories (slug, name) SELECT 'c' || count(*), 'C' FROM categories RETURNING id
             ) UPDATE products SET category_id = (SELECT id FROM added)`,
          );
        }
      }),
    );
    const slugs = entries.flatMap(({ type, slug }) => (type === "category" ? slug : []));
    const used = entries.flatMap((entry) => (entry.type === "product" ? entry.category : []));
    expect([slugs.length, used.length]).toEqual([8, 60]);
    expect(new Set(used)).toEqual(new Set(slugs));
  });

  test("has every column, but ids and what the database makes", async () => {
    const columns = await sql<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'products'",
    );
    const made = ["id", "updated_at", "search_text", "category_id"];
    const own = columns.map(({ name }) => name).filter((name) => !made.includes(name));
    const fields = own.map((name) => name.replace(/_a/, "A"));
    expect([...entryFields.product].sort()).toEqual([...fields, "type", "category"].sort());
  });
});
