import { Readable } from "node:stream";
import fc from "fast-check";
import { csvText, type Row } from "../../src/files/file-text";
import { fromCell, toCell } from "../../src/files/csv-cells";
import { readCsv, type CsvRow } from "../../src/files/read-csv";
import { LONGEST_LINE, textLines, type SourceLine, utf8Text } from "../../src/files/text";

const each = <T>(...values: T[]): AsyncIterable<T> => Readable.from(values);

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

/** Pieces of the bytes, of this size. */
const pieces = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

const oddText = fc.string({
  unit: fc.constantFrom(...Array.from("'=+-@\t\r\n\",;;ax＝é🍵\u2028 ")),
});

describe.each([
  [",", /[;\t\r\n]/],
  [";", /[,;\t\r\n]/],
] as const)("formulas in a file that is separated by %s", (separator, others) => {
  test("are no longer formulas in a cell, and any text comes back from its cell", () => {
    fc.assert(
      fc.property(oddText, (text) => {
        expect(toCell(text, separator)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        expect(fromCell(toCell(text, separator), separator)).toBe(text);
      }),
    );
  });

  test("are none either for a spreadsheet that splits it elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(oddText, oddText)), async (rows) => {
        const objects = rows.map(([a, b]) => ({ a, b }));
        const text = (await all(textOf(objects, separator === ";"))).join("");
        const begins = text.split(others).filter((part) => /^"*[=+\-@＝＋－＠]/.test(part));
        expect(begins).toEqual([]);
      }),
    );
  });

  test("leave a text alone that begins with a letter, or with an apostrophe before a letter", () => {
    for (const text of ["a=1-2", "'Twas", "a; b;'c", "a;1", "a,'b"]) {
      expect([toCell(text, separator), fromCell(text, separator)]).toEqual([text, text]);
    }
  });
});

/** CSV with the columns a and b. */
const textOf = (rows: readonly Row[], isForExcel: boolean): AsyncGenerator<string> =>
  csvText({ columns: ["a", "b"], isForExcel }, each(rows));

describe("CSV", () => {
  test("comes back as it was written, however it is cut, with either end of lines", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(oddText, oddText)),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom("LF", "CR LF", "Excel"),
        async (rows, size, form) => {
          const objects = rows.map(([a, b]) => ({ a, b }));
          const text = (await all(textOf(objects, form === "Excel"))).join("");
          // Only the ends of records may be changed, which do not stand within quotes.
          const sent =
            form === "CR LF" ? text.replace(/\n(?=(?:[^"]*"[^"]*")*[^"]*$)/g, "\r\n") : text;
          const parts = utf8Text(each(...pieces(Buffer.from(sent), size)));
          const read = await all(readCsv({ all: ["a", "b"], optional: [] }, parts));
          expect(read.map(cellsOf)).toEqual(objects);
        },
      ),
    );
  });

  test("tells the first line of a row, and what stands before a fault", async () => {
    const text = 'a,b\n1,"\n\n"\n\n2,x\n3\n"4\n,",x"y\n';
    const read = await all(readCsv({ all: ["a", "b"], optional: [] }, each(text)));
    expect(read.map((row) => [row.line, "reason" in row ? "fault" : cellsOf(row)])).toEqual([
      [2, { a: "1", b: "\n\n" }],
      [6, { a: "2", b: "x" }],
      [7, "fault"],
      [8, "fault"],
    ]);
  });
});

const cellsOf = (row: CsvRow): unknown =>
  "cells" in row ? Object.fromEntries(row.cells) : row.reason;

describe("lines", () => {
  const linesOf = (...parts: string[]): Promise<SourceLine[]> => all(textLines(each(...parts)));

  test("that are too long are not kept", async () => {
    const long = "x".repeat(LONGEST_LINE);
    const read = await linesOf(`${long}\n${long}`, `x`, "y\nz\n", `${long}${long}`);
    expect(read.map(({ line, text }) => [line, text?.length])).toEqual([
      [1, LONGEST_LINE],
      [2, undefined],
      [3, 1],
      [4, undefined],
    ]);
    const last = await linesOf(long, "\n", "x", long.slice(1));
    expect(last.map(({ text }) => text?.length)).toEqual([LONGEST_LINE, LONGEST_LINE]);
  });
});

test.each([
  ["a\nb\u0000é🍵\n", []],
  ["a\nb\n", [0xff]],
  ["a\nb\né", [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
  ["a\nb\n", [0xed, 0xa0, 0x80, 0x0a]],
  ["a\nb\né", [0xe2, 0x82, 0x0a, 0x61]],
  ["a\nb\né", [0xf0, 0x9f]],
  ["a\né\n", [0xff]],
])("the first line that is not UTF-8 is named: %j %j", async (text, end) => {
  const bytes = Buffer.concat([Buffer.from(text), Buffer.from(end)]);
  for (let size = 1; size <= bytes.length; size += 1) {
    const read = all(utf8Text(each(...pieces(bytes, size))));
    if (end.length === 0) expect((await read).join("")).toBe(text);
    else await expect(read).rejects.toThrow("Line 3 is not UTF-8");
  }
});
