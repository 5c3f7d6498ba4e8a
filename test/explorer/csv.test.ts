import { buildSchema } from "graphql";
import { readFileSync } from "node:fs";
import { CsvPages, type CsvPagesOptions } from "../../src/explorer/client/answers/csv-pages";
import {
  csvHeader,
  csvLine,
  separatorIn,
  type Separator,
} from "../../src/explorer/client/answers/csv-text";
import type { Kind } from "../../src/explorer/client/answers/columns";
import { tablesIn } from "../../src/explorer/client/answers/tables-in";
import type { Answer, Request } from "../../src/explorer/client/service";

const schema = buildSchema(readFileSync("schema.graphql", "utf8"));

/** The cell of a value as it stands in a file. */
const cell = (kind: Kind, value: unknown, separator: Separator = ","): string =>
  csvLine([{ path: ["value"], fields: ["value"], kind }], { value }, separator).slice(0, -2);

describe("a cell", () => {
  test("is quoted where it has to be", () => {
    expect(cell("text", 'a "b", c')).toBe('"a ""b"", c"');
    expect(cell("text", "two\nlines")).toBe('"two\nlines"');
    expect(cell("text", "plain é 茶")).toBe("plain é 茶");
  });

  test("holds values as they are", () => {
    expect(cell("number", "12.50")).toBe("12.50");
    expect(cell("number", -3)).toBe("-3");
    expect(cell("enum", "PAID")).toBe("PAID");
    expect(cell("boolean", false)).toBe("false");
    expect(cell("time", "2026-01-31T10:30:00+01:00")).toBe("2026-01-31T09:30:00.000Z");
    expect(cell("text", null)).toBe("");
    expect(cell("list", [{ id: 1 }])).toBe('"[{""id"":1}]"');
  });

  test("is no formula", () => {
    for (const text of ["=1+1", "+1", "-1", "@sum", "\tx", "'=1", "＝1"]) {
      expect(cell("text", text)).toBe(`'${text}`);
    }
    expect(cell("text", "\r=1")).toBe(`"'\r'=1"`);
    expect(cell("text", '=1,"2"')).toBe(`"'=1,""2"""`);
    expect(cell("number", "-1.50")).toBe("-1.50");
    expect(cell("number", "-1+cmd")).toBe("'-1+cmd");
    expect(cell("text", "'Twas")).toBe("'Twas");
  });

  test.each([
    ["a;=cmd|'x'!A1", "a;'=cmd|'x'!A1"],
    ["a;b;＠sum;c", "a;b;'＠sum;c"],
    ["a\t+1", "a\t'+1"],
    ["a\n\n-1", `"a\n\n'-1"`],
    ["a\r\n'=1", `"a\r\n''=1"`],
    ['a;"=1', `"a;'""=1"`],
    ["\t=1", "'\t'=1"],
    ["a; b;c=1;", "a; b;c=1;"],
  ])("is no formula in a part either, where semicolons or tabs separate: %j", (text, expected) => {
    expect(cell("text", text)).toBe(expected);
  });
});

describe("where a language writes 12,50", () => {
  const inGerman = (kind: Kind, value: unknown): string => cell(kind, value, separatorIn("de"));

  test("cells are separated by semicolons, and amounts have commas", () => {
    const columns = (["text", "number"] as const).map((kind) => ({
      path: [kind],
      fields: [kind],
      kind,
    }));
    const separator = separatorIn("fr");
    expect(csvHeader(columns, separator)).toBe("Text;Number\r\n");
    expect(csvLine(columns, { text: "a; b", number: "-12.50" }, separator)).toBe(
      '"a; b";-12,50\r\n',
    );
    expect(inGerman("number", 3)).toBe("3");
    expect(inGerman("text", "12.50, or more")).toBe("12.50, or more");
    expect(inGerman("time", "2026-01-31T10:30:00+01:00")).toBe("2026-01-31T09:30:00.000Z");
    expect(["en", "ja", "he"].map(separatorIn)).toEqual([",", ",", ","]);
  });

  test.each([
    ["=1+1", "'=1+1"],
    ["a,=1", "a,'=1"],
    ["a;=1", `"a;'=1"`],
    ["a\t@sum", "a\t'@sum"],
    ["a, b=1", "a, b=1"],
  ])("a text is no formula, after a comma either: %j", (text, expected) => {
    expect(inGerman("text", text)).toBe(expected);
    expect(inGerman("number", text)).toBe(expected);
  });
});

/** A list of orders, as a service with this many would send it. */
class Service {
  ids: number[];
  /** What the next requests are answered with instead. */
  failures: Answer[] = [];
  readonly asked: unknown[] = [];

  constructor(count: number) {
    this.ids = Array.from({ length: count }, (_, index) => count - index);
  }

  readonly query =
    "query($page: Int! = 1, $filter: OrderFilter) { orders(page: $page, pageSize: 2, filter: $filter) { meta { total } data { id status } } }";

  readonly send = ({ variables }: Request): Promise<Answer> => {
    this.asked.push(variables);
    const failure = this.failures.shift();
    if (failure) return Promise.resolve(failure);
    const page = Number(variables?.["page"]);
    const data = this.ids.slice(2 * page - 2, 2 * page).map((id) => ({ id, status: "PAID" }));
    return Promise.resolve({ data: { orders: { meta: { total: this.ids.length }, data } } });
  };

  async pages(bounds?: CsvPagesOptions["bounds"]): Promise<CsvPages> {
    const request = { query: this.query, variables: { page: 2, filter: { status: "PAID" } } };
    const { data } = await this.send(request);
    const [table] = tablesIn(schema, request, data!);
    this.asked.length = 0;
    return new CsvPages({
      schema,
      request,
      table: table!,
      send: this.send,
      separator: ",",
      ...(bounds && { bounds }),
    });
  }
}

const all = async (pages: CsvPages): Promise<string> => {
  while (!pages.isDone) await pages.readPage();
  return pages.lines.join("");
};

describe("a file", () => {
  test("has no row twice, though the list moves while it is read", async () => {
    const service = new Service(5);
    const pages = await service.pages();
    await pages.readPage();
    service.ids.unshift(6);
    expect(await all(pages)).toBe(
      "Id,Status\r\n5,PAID\r\n4,PAID\r\n3,PAID\r\n2,PAID\r\n1,PAID\r\n",
    );
  });

  test("ends at its bounds, and says so", async () => {
    const service = new Service(9);
    const byCells = await service.pages({ cells: 6, characters: 1000 });
    expect(await all(byCells)).toBe("Id,Status\r\n9,PAID\r\n8,PAID\r\n7,PAID\r\n");
    expect([byCells.isFull, byCells.rows, byCells.total]).toEqual([true, 3, 9]);
    const byCharacters = await service.pages({ cells: 1000, characters: 10 });
    await all(byCharacters);
    expect([byCharacters.isFull, byCharacters.rows]).toEqual([true, 2]);
    const exact = await service.pages({ cells: 18, characters: 1000 });
    await all(exact);
    expect([exact.isFull, exact.rows]).toEqual([false, 9]);
  });
});
