import { createDatabase, query } from "../support/database";
import { seedDemo } from "../../src/demo";
import { csv, green, HEADER, useCatalogueFiles } from "./catalogue-files";

const files = useCatalogueFiles();
const { folder, catalogue, imported, sql, stored, version } = files;

/** Texts that a spreadsheet, a parser or a terminal could get wrong. */
const oddTexts = [
  "",
  ...[
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1",
    "'=1",
    "a;=1",
    "a\t'=1",
    "a,=1",
    "a,'=1",
    'a\n"@x',
    "''@a",
    "'",
    "''",
  ],
  ...["'Twas", "-", 'a "quoted" word', '"', ",", ";", " blank ", "a\nb", "a\r\nb", "a\rb", "\r"],
  ...["Grüner Tee – 緑茶 🍵", "\u2028\u2029", "\ufeffmark", "a\u0001\u007f", "true", "0012", "1e5"],
  "\\n",
  "😀".repeat(5000),
];

describe.each([
  ["CSV", "csv", "csv", []],
  ["CSV for spreadsheets with decimal commas", "excel.csv", "csv", ["--excel"]],
  ["JSON lines", "jsonl", "jsonl", []],
])("a file of %s", (_, extension, format, options) => {
  const file = `catalogue.${extension}`;
  const exporting = ["export", "--format", format, ...options];

  test("comes out of the same and of an empty database as it went in", async () => {
    await seedDemo(files.database.url);
    const out = await catalogue(["export", folder.path(file), ...options]);
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
    const { stdout } = await catalogue(exporting, {}, empty);
    expect(stdout).toBe(folder.read(file));
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
    const { stdout } = await catalogue(exporting);
    const empty = await createDatabase();
    const into = await catalogue(["import", "-", "--format", format], { input: stdout }, empty);
    expect(into).toMatchObject({ exitCode: 0 });
    expect((await catalogue(exporting, {}, empty)).stdout).toBe(stdout);
    const texts = await query<{ text: string }>(
      empty.url,
      "SELECT description AS text FROM products ORDER BY id",
    );
    expect(texts.map(({ text }) => text)).toEqual(oddTexts);
    await empty.drop();
  });
});

test("an export for spreadsheets with decimal commas is what they open", async () => {
  await imported(csv(green, `product,p,'=1,true,2024-05-01T12:00:00Z,green,1234.5,"a,=1;\n""x"""`));
  const { stdout } = await catalogue(["export", "--excel"]);
  const begins = [
    `\ufeff${HEADER.replaceAll(",", ";")}`,
    "category;green;Green;true;2024-05-01T12:00:00.000Z;;;",
    `product;p;'=1;true;2024-05-01T12:00:00.000Z;green;1234,50;"a,'=1;\n""x"""`,
    "",
  ];
  const lines = stdout.split("\r\n");
  expect(lines.map((line, index) => line.slice(0, begins[index]?.length))).toEqual(begins);
});

describe("an import", () => {
  test("takes what spreadsheets make of a file: order, case, marks, ends of lines, empty rows and columns", async () => {
    const text = [
      "\ufeffslug,type,price,isActive,category,name,description,,",
      "",
      "p,product,1.5,TRUE,green,Ein Tee,,,",
      ",,,,,,,,",
      "green,category,,FALSE,,Grün,,,",
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

  test.each([
    ["commas", ",", "12.5"],
    ["semicolons", ";", "12,5"],
    ["semicolons and decimal points", ";", "12.50"],
    ["tabs", "\t", "12,50"],
  ])("takes a file that is separated by %s", async (_, mark, price) => {
    const line = (...cells: string[]) => `${cells.join(mark)}\r\n`;
    const text = [
      "\n",
      line(...HEADER.split(",")).replace("name", '"name"'),
      line("category", "green", "Green", "1", "", "", "", ""),
      line("product", "p", '"a,b;c\td"', "0", "", "green", price, "'=1"),
      line("", "", "", "", "", "", "", ""),
    ];
    expect(await imported(text.join(""))).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await sql("SELECT name, is_active, price, description FROM products")).toEqual([
      { name: "a,b;c\td", is_active: false, price: "12.50", description: "=1" },
    ]);
  });

  test("takes what spreadsheets in English, German and French write for true and false", async () => {
    const [yes, no] = [
      "true TRUE yes Yes 1 WAHR wahr VRAI",
      "false False NO no 0 Falsch FAUX faux",
    ];
    const lines = `${yes} ${no}`
      .split(" ")
      .map((flag, index) => `category,c${index},C,${flag},,,,`);
    expect(await imported(csv(...lines))).toMatchObject({ exitCode: 0, stderr: "" });
    const rows = await sql<{ is_active: boolean }>("SELECT is_active FROM categories ORDER BY id");
    const half = rows.length / 2;
    expect(rows.map((row) => row.is_active)).toEqual(lines.map((_, index) => index < half));
  });

  test("derives slugs that are left out, and makes nothing twice of a file that comes twice", async () => {
    const lines = [
      "category,,Grüner Tee,true,,,,",
      "product,,Sencha & Co.,true,,gruner-tee,1,",
      "product,,茶,true,,gruner-tee,1,",
      "category,,Sencha & Co.,true,,,,",
    ];
    const outcome = await imported(csv(...lines));
    expect(outcome.stdout).toMatch(/Categories: 2 created.*\nProducts: 2 created/);
    const slugs = await sql<{ slug: string }>(
      "SELECT slug FROM categories UNION ALL SELECT slug FROM products",
    );
    const derived = ["gruner-tee", "sencha-co", "sencha-co", "cha"];
    expect(slugs.map(({ slug }) => slug)).toEqual(derived);
    const jsonl =
      '{"type":"product","name":"Sencha Co","isActive":true,"category":"gruner-tee","price":"1","description":""}\n';
    const before = await stored();
    const exists = (line: number, type: string, slug: string) =>
      `line ${line}: slug ${slug}, derived from the name, exists already: to change that ${type}, write the slug`;
    for (const [text, format, faults] of [
      [
        csv(...lines),
        "csv",
        [
          exists(2, "category", "gruner-tee"),
          exists(3, "product", "sencha-co"),
          exists(4, "product", "cha"),
          exists(5, "category", "sencha-co"),
        ],
      ],
      [jsonl, "jsonl", [exists(1, "product", "sencha-co")]],
    ] as const) {
      const again = await catalogue(["import", "-", "--format", format], { input: text });
      expect(again).toMatchObject({ exitCode: 1, stdout: [...faults, ""].join("\n") });
    }
    expect(await stored()).toEqual(before);
    // With their slugs they are the entries that exist.
    const named = lines.map((line, index) =>
      line.replace(",,", `,${derived[[0, 2, 3, 1][index]!]},`),
    );
    expect((await imported(csv(...named))).stdout).toContain("0 changed, 2 unchanged\nProducts: 0");
  });

  test("makes nothing twice of a name without a slug that is composed in one file and decomposed in another", async () => {
    const file = (form: string) =>
      csv(green, "category,,ガブ,true,,,,", "product,,プーアル,true,,green,1,").normalize(form);
    expect(await imported(file("NFC"))).toMatchObject({ exitCode: 0 });
    const before = await stored();
    const again = await imported(file("NFD"));
    expect(again).toMatchObject({
      exitCode: 1,
      stdout: [
        "line 3: slug gabu, derived from the name, exists already: to change that category, write the slug",
        "line 4: slug puaru, derived from the name, exists already: to change that product, write the slug",
        "",
      ].join("\n"),
    });
    expect(await stored()).toEqual(before);
  });

  test("takes the first and the last time of all years that it takes, which events and the log show as they are", async () => {
    const times = ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"];
    const lines = times.map((time, index) => `category,c${index},C,true,${time},,,`);
    expect(await imported(csv(...lines))).toMatchObject({ exitCode: 0 });
    const shown = await sql<{ event: string; entry: string }>(
      `SELECT data->>'createdAt' AS event,
         (SELECT change->>'after' FROM audit_entries, jsonb_array_elements(changes) AS change
          WHERE subject = 'CATEGORY' AND audit_entries.subject_id = events.subject_id
            AND change->>'field' = 'createdAt') AS entry
       FROM events WHERE type = 'category.created' ORDER BY id`,
    );
    expect(shown).toEqual(times.map((time) => ({ event: time, entry: time })));
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

  test("keeps what is not in the file", async () => {
    await seedDemo(files.database.url);
    await imported(csv(green, "product,new-one,New,true,,green,1,"));
    expect(await sql("SELECT count(*)::integer FROM products")).toEqual([{ count: 61 }]);
  });
});
