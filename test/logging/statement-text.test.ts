import { withoutValues } from "../../src/observability/log/statement-text";

test.each([
  ["placeholders", "SELECT * FROM t WHERE a = $1 AND b = ANY($12)", undefined],
  ["a text", "a = 'otto@shop.example'", "a = ?"],
  ["a text with quotes", "a = 'it''s' AND b = '' AND c = ''''", "a = ? AND b = ? AND c = ?"],
  ["a text with a backslash", "a = 'x\\' AND b = 'y'", "a = ? AND b = ?"],
  ["a text that escapes", "a = E'it\\'s' AND b = e'\\\\'", "a = ? AND b = ?"],
  ["a text between dollars", "a = $$it's$$ AND b = $x$ $$ $x$", "a = ? AND b = ?"],
  ["a text that never ends", "a = 'otto", "a = ?"],
  ["dollars that never end", "a = $$otto", "a = ?"],
  ["numbers", "a IN (1, -2.50, 3e7) LIMIT 10", "a IN (?, -?, ?) LIMIT ?"],
  ["names with digits", "SELECT int4, t1.a2 FROM t1 AS x$3", undefined],
  ["quoted names", `SELECT "it's", "a""1" FROM "t 7"`, undefined],
  ["names of other letters", "SELECT tée1 FROM té", undefined],
  ["several lines", "SELECT a\n      FROM t\n", "SELECT a FROM t"],
  ["nothing", "", ""],
])("of a statement with %s, only names and placeholders are shown", (_, sql, shown = sql) => {
  expect(withoutValues(sql)).toBe(shown);
});

test("a long statement is cut, and no value is left where it is", () => {
  const sql = `SELECT ${"a, ".repeat(1_330)} '${"otto ".repeat(1_000)}'`;
  const shown = withoutValues(sql);
  expect(shown).not.toContain("otto");
  expect(shown).toMatch(/\? *… \([0-9]+ characters, cut\)$/);
  expect(shown.length).toBeLessThan(4_100);
});
