import { amountFault, amountIn, textForms } from "../../src/explorer/client/inputs/texts";
import { withValue } from "../../src/explorer/client/inputs/values";

const { text, whole, number, decimal, json } = textForms;

test("a value is set in its place, and nothing else changes", () => {
  const before = { input: { items: [{ productId: 1, quantity: 2 }], note: null } };
  expect(withValue(before, ["input", "items", 0, "quantity"], 3)).toEqual({
    input: { items: [{ productId: 1, quantity: 3 }], note: null },
  });
  expect(before.input.items[0]!.quantity).toBe(2);
});

test("what is undefined is absent, and an empty text or null is not", () => {
  expect(withValue({ input: { a: 1, b: 2 } }, ["input", "a"], undefined)).toEqual({
    input: { b: 2 },
  });
  expect(withValue({}, ["a"], undefined)).toEqual({});
  expect(withValue({}, ["a"], "")).toEqual({ a: "" });
  expect(withValue({ a: 1 }, ["a"], null)).toEqual({ a: null });
  expect(withValue({ ids: [1, 2] }, ["ids", 0], undefined)).toEqual({ ids: [null, 2] });
});

test("what is missing on the way is made", () => {
  expect(withValue({}, ["input", "items", 0, "quantity"], 1)).toEqual({
    input: { items: [{ quantity: 1 }] },
  });
  expect(withValue({ filter: null }, ["filter", "search"], "tea")).toEqual({
    filter: { search: "tea" },
  });
  expect(withValue({}, ["constructor", "name"], "x")).toEqual({ constructor: { name: "x" } });
});

test.each([
  ["12", 12],
  [" 12 ", 12],
  ["-3", -3],
  ["", undefined],
  ["-", "-"],
  ["1e3", "1e3"],
  ["1.5", "1.5"],
  ["9007199254740991", 9007199254740991],
  ["9007199254740993", "9007199254740993"],
])("the whole number %p is %p", (typed, value) => {
  expect(whole.valueOf(typed)).toBe(value);
});

test.each([
  ["12.", "12."],
  ["1e", "1e"],
  ["1e3", 1000],
  ["-0.5", -0.5],
  ["1e999", "1e999"],
  ["0x10", "0x10"],
  ["Infinity", "Infinity"],
])("the number %p is %p", (typed, value) => {
  expect(number.valueOf(typed)).toBe(value);
});

test("amounts keep all their digits", () => {
  const digits = "12345678901234567890.12345678901234567890";
  expect(decimal.valueOf(digits)).toBe(digits);
  expect(decimal.valueOf("12.50")).toBe("12.50");
  expect(decimal.textOf("12.50")).toBe("12.50");
  expect(decimal.valueOf("")).toBeUndefined();
});

test("12,50 is an amount where a language writes so, and 1,234 is none anywhere", () => {
  expect(amountIn("12,50", "de")).toBe("12.50");
  expect(amountIn(" -0,5 ", "fr")).toBe("-0.5");
  expect(amountIn("12.50", "de")).toBe("12.50");
  expect(amountIn("12,50", "en")).toBe("12,50");
  expect(amountIn("1.234,50", "de")).toBe("1.234,50");
  for (const language of ["de", "en"]) expect(amountIn("1,234", language)).toBe("1,234");
  expect(decimal.faultOf("1,234")).toBe("1,234 may be read in two ways. Write 1234, or 1.23.");
});

test("1.230 may be read in two ways where a language writes 12,50, and stays what the service refuses", () => {
  expect(amountIn("1.230", "de")).toBe("1.230");
  expect(amountFault("1.230", "de")).toBe("1.230 may be read in two ways. Write 1230, or 1.23.");
  expect(amountFault("-12.500", "fr")).toBe(
    "-12.500 may be read in two ways. Write -12500, or -12.50.",
  );
  for (const text of ["12.50", "1230", "0.500", "1234.560"]) {
    expect(amountFault(text, "de")).toBeUndefined();
  }
  expect(amountFault("1.230", "en")).toBeUndefined();
});

test("what is no number is told", () => {
  expect(whole.faultOf("abc")).toBe("This is not a whole number.");
  expect(whole.faultOf("9007199254740993")).toBe("This number is too large.");
  expect(whole.faultOf(3)).toBeUndefined();
  expect(number.faultOf("1e")).toBe("This is not a number.");
  expect(decimal.faultOf("12,50")).toBe("This is not a number, such as 12.50.");
  for (const { faultOf } of [whole, number, decimal, text, json]) {
    expect([faultOf(undefined), faultOf(null)]).toEqual([undefined, undefined]);
  }
});

test("texts stay as they are", () => {
  expect(text.valueOf("")).toBe("");
  expect(text.valueOf(" 1 ")).toBe(" 1 ");
  expect(text.textOf(undefined)).toBe("");
  expect(text.textOf(5)).toBe("5");
});

test.each([
  ['{"a": [1]}', { a: [1] }],
  ["true", true],
  ["12", 12],
  ["9007199254740993", "9007199254740993"],
  ["plain words", "plain words"],
  ['"12"', "12"],
  ["", undefined],
])("a scalar of no known kind takes %p as %p", (typed, value) => {
  expect(json.valueOf(typed)).toEqual(value);
});

test.each([["12"], ["plain"], ['"quoted"'], [12], [{ a: 1 }], [true], ["9007199254740993"]])(
  "a scalar of no known kind shows %p so that it can be read again",
  (value) => {
    expect(json.valueOf(json.textOf(value))).toEqual(value);
  },
);
