import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputType,
} from "graphql";
import type { Draws } from "./draws";

/** An input value, as it stands in a document and as it stands in the JSON of variables. */
export interface InputText {
  readonly literal: string;
  readonly json: string;
}

const same = (text: string): InputText => ({ literal: text, json: text });

const textValue = (text: string): InputText => ({
  literal: JSON.stringify(text.toWellFormed()), // a document with half a character does not parse
  json: JSON.stringify(text),
});

const cursorsOf = (times: readonly string[], ids: readonly string[]): string[] =>
  times.flatMap((time) => ids.map((id) => Buffer.from(`${time}:${id}`).toString("base64url")));

/** Values that are likely to be taken, and values that are odd but of the right type. */
interface Pool<T> {
  readonly usual: readonly T[];
  readonly odd: readonly T[];
}

const cursors: Pool<string> = {
  usual: cursorsOf(["4000000000000", "253402300800000", "1"], ["1", "2147483647"]),
  odd: [
    ...cursorsOf(
      ["-62135596800001", "-210866803200001", "-999999999999999", "8640000000000000", "-0"],
      ["1", "2147483647", "0", "9999999999"],
    ),
    ...["", "!", "MTox"],
  ],
};
const slugs: Pool<string> = {
  usual: ["made-product-2", "made-category-1", "green-tea", "black-tea"],
  odd: ["Green", "\0", "\ud800", "a--b", "x".repeat(121)],
};

/** Texts by the names of the places that they fit; all others are words. */
const texts: Record<string, Pool<string>> = {
  email: { usual: ["reader@example.com", "admin@example.com"], odd: ["a@b", "Reader@example.com"] },
  customerSearch: { usual: ["customer", "EXAMPLE"], odd: ["%_\\", "x", "\0abc"] },
  customerEmail: { usual: ["customer@example.com"], odd: ["CUSTOMER@example.com", "x"] },
  password: { usual: ["correct horse battery", "wrong"], odd: [""] },
  currentPassword: { usual: ["correct horse battery", "another horse"], odd: ["", "\ud800"] },
  newPassword: {
    usual: ["correct horse battery", "another horse"],
    odd: ["short", "x".repeat(73)],
  },
  slug: slugs,
  categorySlug: slugs,
  search: { usual: ["product", "product 1"], odd: ["100%", "_", " ", "\\", "tea\0"] },
  after: cursors,
  before: cursors,
  idempotencyKey: { usual: ["key-1", "key-2", '"key-1"'], odd: ["", "kéy", '"'] },
  timeZone: { usual: ["UTC", "Europe/Berlin"], odd: ["", "+01:00", "Nope"] },
  name: { usual: ["Product", "__Schema", "OrderStatus"], odd: ["Nope", "\u200b", "\0"] },
};
const words: Pool<string> = { usual: ["Sencha", "Green tea"], odd: ["", "\0", "\u200b"] };

const pageSizes: Pool<number> = { usual: [1, 2, 5, 10], odd: [50, 51, 0, -1, 2147483647] };
const integers: Record<string, Pool<number>> = {
  page: { usual: [1, 1, 2], odd: [0, -1, 2147483647, -2147483648] },
  pageSize: pageSizes,
  first: pageSizes,
  last: pageSizes,
  quantity: { usual: [1, 2], odd: [0, -1, 99999999, 2147483647] },
};
const ids: Pool<number> = {
  usual: [1, 2, 3, 4, 5, 6],
  odd: [0, -1, 1000, 2147483647, -2147483648],
};

const decimals: Pool<string> = {
  usual: ['"12.50"', '"10.00"', "12.5", "0", "10.00", "12.340", "1.234e1", "20"],
  odd: [
    ...['"99999999.99"', '"1.005"', '"-1"', '"NaN"', '""', "1e21", "-0.01", "1e-400"],
    ...["12.340000000000000000001", "1e999999999", "-0"],
  ],
};

const times = [
  ...["2026-01-31T09:30:00Z", "2000-01-01T00:00:00.000Z", "2026-12-31T23:59:59+14:00"],
  ...["0001-01-01T00:00:00Z", "0000-01-01T00:00:00+14:00", "9999-12-31T23:59:60Z"],
].map((each) => JSON.stringify(each));
const days: Pool<string> = {
  usual: ["2026-11-01", "2026-11-29", "2026-12-31"].map((each) => JSON.stringify(each)),
  odd: ["0000-01-01", "9999-12-31", "2026-02-30", "1"].map((each) => JSON.stringify(each)),
};
const noTimes = [
  ...["8640000000000000", "-8640000000000000", "-210866803200001", "0", "1e300", "true"],
  ...['"-271821-04-20T00:00:00Z"', '"+275760-09-13T00:00:00Z"', '"2026-02-30T00:00:00Z"'],
];

/** A value of a scalar that its type knows; the shop may refuse it nevertheless. */
function scalar(draws: Draws, type: string, name: string): InputText {
  const oneOf = <T>({ usual, odd }: Pool<T>): T => draws.oneOf(draws.inPercent(10) ? odd : usual);
  switch (type) {
    case "Int":
      return same(String(oneOf(integers[name] ?? ids)));
    case "Boolean":
      return same(draws.oneOf(["true", "false"]));
    case "Decimal":
      return same(oneOf(decimals));
    case "DateTime":
      // In a document the language would refuse them; among variables they are worth a try.
      return { literal: draws.oneOf(times), json: oneOf({ usual: times, odd: noTimes }) };
    case "Date":
      return same(oneOf(days));
    default:
      return textValue(draws.inPercent(5) ? draws.text() : oneOf(texts[name] ?? words));
  }
}

/** What writes a value of a type at a named place; it may write a variable there instead. */
export type WriteInput = (type: GraphQLInputType, name: string, hasDefault: boolean) => InputText;

/** A value of a type whose parts are written by `part`. */
export function writeValue(
  draws: Draws,
  type: GraphQLInputType,
  name: string,
  part: WriteInput,
): InputText {
  if (!isNonNullType(type) && draws.inPercent(10)) return same("null");
  if (draws.inPercent(1))
    return {
      literal: draws.oneOf(["[[1]]", "{a: 1}", "-0", "nope", "1e999"]),
      json: draws.json(),
    };
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = nullable.ofType;
    const length = draws.oneOf([1, 1, 2, 3, 0]);
    const items = Array.from({ length }, () => part(item, name, false));
    return {
      literal: `[${items.map(({ literal }) => literal).join(", ")}]`,
      json: `[${items.map(({ json }) => json).join(",")}]`,
    };
  }
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields())
      .filter((field) =>
        draws.inPercent(isNonNullType(field.type) && field.defaultValue === undefined ? 99 : 45),
      )
      .map((field) => ({
        name: field.name,
        text: part(field.type, field.name, field.defaultValue !== undefined),
      }));
    return {
      literal: `{${fields.map((each) => `${each.name}: ${each.text.literal}`).join(", ")}}`,
      json: `{${fields.map((each) => `"${each.name}":${each.text.json}`).join(",")}}`,
    };
  }
  if (isEnumType(nullable)) {
    const value = draws.oneOf(nullable.getValues()).name;
    return { literal: value, json: `"${value}"` };
  }
  return scalar(draws, nullable.name, name);
}
