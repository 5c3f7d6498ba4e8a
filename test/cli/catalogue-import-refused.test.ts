/** @check */
import { failed } from "./terminal";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { csv, green, HEADER, useCatalogueFiles } from "./catalogue-files";

const { folder, catalogue, imported, stored } = useCatalogueFiles({ isUnchanged: true });

describe("nothing is imported if", () => {
  /** Imports beside a line that is right, and expects to be told of the others. */
  const refused = async (text: string | Buffer, lines: string[], format = "csv") => {
    const outcome = await catalogue(["import", "-", "--format", format], { input: text });
    const count = lines.length === 1 ? "A line is" : `${lines.length} lines are`;
    expect(outcome).toEqual(
      failed(
        `error: ${count} wrong; nothing was imported\n`,
        lines.map((line) => `line ${line}\n`).join(""),
      ),
    );
    expect(await stored()).toEqual([[], []]);
  };

  const time = "must be a time in UTC such as 2024-05-01T12:30:00.000Z";
  const price = "must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places";
  const threeDigits = (grouped: string, decimal: string) =>
    `could mean ${grouped} or ${decimal}: write two decimals, or none`;
  const decimalComma = (price: string) =>
    `has a decimal comma: write ${price}, or separate the cells by semicolons`;
  const flag = "must be one of true, yes, 1, wahr, vrai, false, no, 0, falsch, faux";
  const slug = "must be lower-case words of a-z and 0-9 joined by single hyphens";

  const csvLines = [
    ["tea,a,A,true,,green,1,", "type must be one of the following values: category, product"],
    ["product,A,A,true,,green,1,", `slug ${slug}`],
    ["product,,,true,,green,1,", "name should not be empty"],
    ["category,,Green!,true,,,,", "slug green is in line 2 already"],
    ["product,a,A\u0000,true,,green,1,", "name must be well-formed Unicode without NUL"],
    ["product,a,A,oui,,green,1,", `isActive "oui" ${flag}`],
    ["product,a,A,,,green,1,", "isActive must be a boolean value"],
    ["product,a,A,true,2024-02-30T00:00:00Z,green,1,", `createdAt ${time}`],
    ["product,a,A,true,2024-02-01,green,1,", `createdAt ${time}`],
    ["product,a,A,true,0000-12-31T23:59:59.999Z,green,1,", `createdAt ${time}`],
    ["product,a,A,true,+010000-01-01T00:00:00Z,green,1,", `createdAt ${time}`],
    ["product,a,A,true,,green,1.0050,", `price "1.0050" ${price}`],
    ["product,a,A,true,,green,1.005,", `price 1.005 ${threeDigits("1005", "1.005")}`],
    ['product,a,A,true,,green,"1,230",', `price 1,230 ${threeDigits("1230", "1.230")}`],
    ['product,a,A,true,,green,"12,50",', `price "12,50" ${decimalComma("12.50")}`],
    ['product,a,A,true,,green,"1.230,50",', `price "1.230,50" ${price}`],
    ["product,a,A,true,,green,\u202e\u001b[31m1,", `price "\\u{202e}\\u001b[31m1" ${price}`],
    ["product,a,A,true,,green,,", `price ${price}`],
    ["product,a,A,true,,green,100000000,", `price "100000000" ${price}`],
    ["product,a,A,true,,,1,", `category ${slug}`],
    ["product,a,A,true,,blue,1,", "category blue does not reference an existing category"],
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
    ['product,a,"A,true,,green,1,\n\nx', "begins a quoted cell that does not end"],
    [`product,a,A,true,,green,1,${"d".repeat(200_000)}`, "is too long, or a quote is missing"],
    [
      "product,a,,maybe,,green,x,",
      `name should not be empty; isActive "maybe" ${flag}; price "x" ${price}`,
    ],
  ] as const;

  test.each(csvLines.map(([line, reason]) => [reason, line]))(
    "a line of CSV: %s",
    async (reason, line) => {
      await refused(csv(green, line), [`3: ${reason}`]);
    },
  );

  test.each([
    ["semicolons", ";"],
    ["tabs", "\t"],
  ])("a price has three digits after its mark, or several: %s", async (_, mark) => {
    const prices = ["1,230", "1.230", "1.230,50", "1,2,3", ",50"];
    const lines = prices.map((text, index) => ["product", index, "A", 1, "", "green", text, ""]);
    const text = [HEADER.replaceAll(",", mark), green.replaceAll(",", mark)];
    await refused([...text, ...lines.map((cells) => cells.join(mark))].join("\n"), [
      `3: price 1,230 ${threeDigits("1230", "1.230")}`,
      `4: price 1.230 ${threeDigits("1230", "1.230")}`,
      ...[5, 6, 7].map((line) => `${line}: price "${prices[line - 3]}" ${price}`),
    ]);
  });

  test("something stands in a column without a name", async () => {
    const lines = [HEADER, green, "category,,Black,true,,,,", "product,a,A,true,,black,x,"];
    const notes = ["", "", "a note", "=1"];
    const text = lines.map((line, index) => `${line},${notes[index]},`).join("\n");
    await refused(text, [
      '3: has "a note" in a column without a name',
      `4: has "=1" in a column without a name; price "x" ${price}`,
    ]);
  });

  const jsonLines = [
    ["{", "is not valid JSON"],
    ['{"type":"product"} {}', "is not valid JSON"],
    ["[1]", "is not a JSON object"],
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
      '{"type":"product","slug":"a","name":"A","isActive":true,"category":"green","price":0.12500000000000000001,"description":""}',
      `price ${price}`,
    ],
    [`{"type":"${"x".repeat(200_000)}"}`, "is too long"],
    ["[".repeat(100_000), "is not valid JSON"],
  ] as const;

  test.each(jsonLines.map(([line, reason]) => [reason, line]))(
    "a line of JSON: %s",
    async (reason, line) => {
      const first = '{"type":"category","slug":"green","name":"Green","isActive":true}';
      await refused(`${first}\n\n \t\r\n${line}\n`, [`4: ${reason}`], "jsonl");
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
      `7: price "x" ${price}`,
    ]);
  });

  test.each([
    ["alone", []],
    ["beside a line that breaks a rule", ["product,a,A,true,,green,x,"]],
  ])("very many contradict the shop or others: %s", async (_, others) => {
    const repeated = Array.from({ length: 30 }, () => green);
    const unknown = Array.from({ length: 1_500 }, (_, n) => `product,p${n},P,true,,blue,1,`);
    const total = 1_530 + others.length;
    const outcome = await imported(csv(green, ...repeated, ...unknown, ...others));
    const lines = Array.from({ length: 1_000 }, (_, index) =>
      index < 30
        ? `line ${index + 3}: slug green is in line 2 already`
        : `line ${index + 3}: category blue does not reference an existing category`,
    );
    expect(outcome).toEqual(
      failed(
        `error: ${total.toLocaleString("en-US")} lines are wrong; nothing was imported\n`,
        [...lines, `and ${total - 1_000} more`, ""].join("\n"),
      ),
    );
    expect(await stored()).toEqual([[], []]);
  });

  const wrong = "columns are wrong";
  test.each([
    ["", "The file is empty"],
    ["\n\r\n", "The file is empty"],
    [
      "type;slug;Preis\n",
      `The file is separated by semicolons; its ${wrong} (unknown: "Preis"; missing: "name", "isActive", "category", "price", "description")`,
    ],
    [
      "\n\nTyp\tName\r\n",
      `separated by tabs; its ${wrong} (unknown: "Typ", "Name"; missing: "type"`,
    ],
    ["type;a,b,c\n", `separated by semicolons; its ${wrong} (unknown: "a,b,c"; missing: "name"`],
    ["a;b,c,d\n", `separated by commas; its ${wrong} (unknown: "a;b", "c", "d"; missing: "type"`],
    ["type|slug\n", `The columns of the file are wrong (unknown: "type|slug"; missing: "type"`],
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

  const asUtf8 = 'save it as UTF-8, in Excel as "CSV UTF-8"';
  const asCsv = 'save its sheet as CSV, in Excel as "CSV UTF-8"';
  test.each([
    ["in UTF-8 that is cut off", [csv(green), [0xe2, 0x82]], "Line 3 is not UTF-8"],
    [
      "in windows-1252",
      [csv(green), Buffer.from("product;gr\u00fcn;", "latin1")],
      `Line 3 is not UTF-8. The file seems to be in windows-1252: ${asUtf8}`,
    ],
    [
      "in UTF-16",
      ["\ufeff", HEADER].map((text) => Buffer.from(text, "utf16le")),
      `The file seems to be in UTF-16: ${asUtf8}`,
    ],
    [
      "in UTF-16 of the other order",
      ["\ufeff", HEADER].map((text) => Buffer.from(text, "utf16le").swap16()),
      `The file seems to be in UTF-16: ${asUtf8}`,
    ],
    [
      "a workbook",
      ["PK\u0003\u0004", [0x14, 0, 6, 0, 8, 0, 0xe9]],
      `The file is a workbook (.xlsx) or another ZIP archive: ${asCsv}`,
    ],
    [
      "an old workbook",
      [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
      `The file is a workbook (.xls): ${asCsv}`,
    ],
    ["compressed", [gzipSync(csv(green))], "The file is compressed (gzip): decompress it first"],
  ])("the file is %s", async (_, parts, fault) => {
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const { exitCode, stderr } = await imported(bytes);
    expect([exitCode, stderr]).toEqual([1, `error: ${fault}\n`]);
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
