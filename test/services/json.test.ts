import fc from "fast-check";
import { numeralAt, parseJson } from "../../src/vocabulary/exact-json";
import { anyJson, objectText } from "../fuzz/hostile-json";

/** Numbers that a double can't hold as they are written. */
const longNumeral = fc
  .tuple(fc.bigInt({ min: 10n ** 15n, max: 10n ** 40n }), fc.integer({ min: -999, max: 999 }))
  .map(([digits, exponent]) => `${digits}e${exponent}`);

const anyValue = fc.oneof(
  anyJson,
  longNumeral,
  fc.array(longNumeral).map((numerals) => `[${numerals.join()}]`),
  fc
    .array(
      fc.tuple(fc.constantFrom("a", "__proto__", "constructor", "1234567890123456"), longNumeral),
    )
    .map(objectText),
);

test("a text is what JSON.parse makes of it", () => {
  const text = fc.array(anyValue).map((values) => `[${values.join(" , ")}]`);
  fc.assert(
    fc.property(text, (json) => {
      expect(parseJson(json)).toEqual(JSON.parse(json));
      expect(JSON.stringify(parseJson(json))).toBe(JSON.stringify(JSON.parse(json)));
    }),
    { numRuns: 2000 },
  );
});

test("what is no JSON is refused as by JSON.parse", () => {
  for (const text of [
    "",
    "{1234567890123456:1}",
    "[12345678901234567",
    "1234567890123456e",
    "// 1",
  ]) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
});

test("numbers that a double can't hold are remembered as they were written, and no others", () => {
  const list = parseJson("[12.340000000000000000001, 1e-400, 12.34, -0, 1.5e10]") as object;
  expect([0, 1, 2, 3, 4].map((index) => numeralAt(list, index))).toEqual([
    ...["12.340000000000000000001", "1e-400"],
    ...[undefined, undefined, undefined],
  ]);
  const nested = parseJson('{"a":{"b":-1234567890123456.0},"c":"1234567890123456.0"}') as {
    a: object;
  };
  expect(numeralAt(nested.a, "b")).toBe("-1234567890123456.0");
  expect(numeralAt(nested, "c")).toBeUndefined();
});

test("of a key that is repeated the last number counts, as in JSON.parse", () => {
  const first = parseJson('{"a":1234567890123456789,"a":2}') as object;
  expect([first, numeralAt(first, "a")]).toEqual([{ a: 2 }, undefined]);
  const last = parseJson('{"a":2,"a":1234567890123456789}') as object;
  expect(numeralAt(last, "a")).toBe("1234567890123456789");
  const replaced = parseJson('{"a":[1234567890123456789],"a":[2]}') as { a: object };
  expect(numeralAt(replaced.a, 0)).toBeUndefined();
  const other = parseJson('{"a":{"b":1234567890123456789},"a":[3]}') as { a: object };
  expect([numeralAt(other.a, "b"), numeralAt(other.a, 0)]).toEqual([undefined, undefined]);
});

test("a key called __proto__ is a key like any other", () => {
  const value = parseJson(
    '{"__proto__":{"polluted":1234567890123456789},"toString":1e999}',
  ) as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(["__proto__", "toString"]);
  expect(numeralAt(value, "toString")).toBe("1e999");
  expect(numeralAt(value, "valueOf")).toBeUndefined();
});

test("nesting of any depth is read, with numbers of any length at its end", () => {
  const depth = 50_000;
  let value = parseJson(`${"[".repeat(depth)}1234567890123456789${"]".repeat(depth)}`);
  for (let level = 1; level < depth; level += 1) value = (value as unknown[])[0];
  expect(value).toEqual([Number("1234567890123456789")]);
  expect(numeralAt(value as object, 0)).toBe("1234567890123456789");
});
