import fc from "fast-check";
import { hostileJson, hostileTexts } from "../security/payloads";

/** Lone surrogates, NUL, right-to-left marks, astral characters and plain words alike. */
export const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom("", " ", "\0", "\ud800", "\udc00x", "a".repeat(300), "é".repeat(5001), "%", "--"),
  fc.constantFrom(
    "a@example.com",
    "\ud800@example.com",
    "a@b",
    "@",
    "1",
    "01",
    "1e3",
    "NaN",
    "0x1",
  ),
  fc.constantFrom(...hostileTexts),
);

const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 1, 1.005, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e308, 5e-324, 99999999.99),
);

const key = fc.oneof(
  anyText,
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "id", "createdAt"),
  fc.constantFrom("role", "status", "totalAmount", "where", "transaction", "$set", "[Op.or]"),
  fc.constantFrom("email", "password", "name", "slug", "isActive", "price", "items", "length", "0"),
);

/** JSON text of any value, up to a few levels deep; keys may repeat. */
export const anyJson: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(
      anyText.map((value) => JSON.stringify(value)),
      number.map((value) => JSON.stringify(value)),
      fc.constantFrom("null", "true", "false", "1e999", "-0", '"\\ud800"', '"\\u0000"', "1E+2"),
      fc.constantFrom(...hostileJson),
      fc.constantFrom("12.340000000000000000001", "1e-400", "1e-999999999", "12345678901234567890"),
    ),
    fc.array(tie("value"), { maxLength: 5 }).map((elements) => `[${elements.join(",")}]`),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map((members) => objectText(members)),
  ),
})).value;

/** Arrays or objects that are nothing but nesting. */
const nested: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(["[", "]"], ['{"a":', "}"]))
  .map(([depth, [open = "", close = ""]]) => `${open.repeat(depth)}0${close.repeat(depth)}`);

/** A JSON object of members that are JSON text already. */
export const objectText = (members: readonly (readonly [key: string, json: string])[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;

/** A body that was valid before some of its members were replaced, dropped, doubled or added. */
export function mutationsOf(valid: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const members = Object.entries(valid).map(([name, proper]) =>
    fc.oneof(
      { weight: 6, arbitrary: proper.map((json) => [[name, json] as const]) },
      { weight: 2, arbitrary: anyJson.map((json) => [[name, json] as const]) },
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: nested.map((json) => [[name, json] as const]) },
    ),
  );
  const added = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(key, anyJson), { maxLength: 3 }) },
  );
  return fc
    .tuple(fc.tuple(...members), added)
    .map(([own, extra]) => objectText([...own.flat(), ...extra]));
}

/** Bytes that are JSON no more: cut off, with a byte changed or put in, or never JSON at all. */
export const brokenBytes = (body: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(body, fc.nat()).map(([json, cut]) => {
      const bytes = Buffer.from(json);
      return bytes.subarray(0, cut % (bytes.length + 1));
    }),
    fc.tuple(body, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([json, place, byte]) => {
      const bytes = Buffer.from(json);
      bytes[place % bytes.length] = byte;
      return bytes;
    }),
    anyJson.map((json) => Buffer.from(json)),
  );
