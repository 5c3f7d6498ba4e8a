/** Keywords of JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value of a field, to be tried in an otherwise valid body. */
export interface Candidate {
  /** The keys that lead to the field, such as `["items", 0, "quantity"]`. */
  readonly path: readonly (string | number)[];
  /** `undefined` leaves the field out. */
  readonly value: unknown;
}

const OTHER_TYPES = [null, true, false, 0, 1, 1.5, -1, "", "text", "1", [], ["text"], [null], {}];

/** Texts at the edges of the patterns and formats that fields have. */
const TEXTS = [
  ...[
    ...["a", "A", "a-b", "a--b", "-a", "a-", "a_b", "a b", " a", "a ", "ä", "😀", "a\n"],
    ...["a\0", "\ud800"],
  ],
  ...[" ", "\t", "\u200b", "0", "00", "01", "+1", "-1", " 1", "1\n", "１", "1e3", "0x1"],
  ...["1.", ".5", "1.5", "1.50", "1.505", "99999999.99", "100000000", "9007199254740992"],
  ...[
    ...["ada@example.com", "ada@example", "@example.com", "ada@", "a b@example.com"],
    "a@@example.com",
  ],
];

/** An address of exactly this length, at least 70, whose parts are no longer than those of addresses may be. */
function address(length: number): string {
  const local = "a".repeat(64);
  const rest = length - `${local}@.com`.length;
  const labels = Array.from({ length: rest }, (_, at) => (at % 60 === 59 ? "." : "a"));
  return `${local}@${labels.join("")}.com`;
}

/** Texts of lengths around a bound, also of characters that JavaScript counts as two. */
const around = (length: number, format: unknown): string[] =>
  [length - 1, length, length + 1]
    .filter((each) => each >= 0)
    .flatMap((each) =>
      format === "email"
        ? [address(each)]
        : ["a".repeat(each), "😀".repeat(each), `${"a".repeat(each)} `],
    );

const steps = (bound: number): number[] =>
  [-1, -0.01, -0.001, 0, 0.001, 0.01, 1].map((step) => Number((bound + step).toFixed(3)));

/** Lists of lengths around a bound. Their elements are equal but for the product. */
const lists = (length: number, element: object): object[][] =>
  [length - 1, length, length + 1]
    .filter((each) => each >= 0)
    .map((each) => Array.from({ length: each }, (_, at) => ({ ...element, productId: at + 1 })));

const all = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Values at the bounds of a field's schema, beyond them, and of other types. */
function valuesFor(schema: JsonSchema, valid: unknown): unknown[] {
  const bounds = (...names: string[]): number[] =>
    names.map((name) => schema[name]).filter((each) => typeof each === "number");
  const element = all(valid)[0] as object | undefined;
  return [
    ...OTHER_TYPES,
    ...TEXTS,
    ...all(schema.enum).flatMap((each) => [each, String(each).toLowerCase(), `${String(each)}x`]),
    ...bounds("minLength", "maxLength").flatMap((each) => around(each, schema.format)),
    ...bounds("minimum", "maximum").flatMap((each) => [...steps(each), ...steps(each).map(String)]),
    ...(element ? bounds("minItems", "maxItems").flatMap((each) => lists(each, element)) : []),
  ];
}

/**
 * Values to try in place of each field of a body: left out, at and beyond the bounds of its schema, and of
 * other types; and a property that there is not.
 */
export function candidatesFor(
  schema: JsonSchema,
  valid: Readonly<Record<string, unknown>>,
  path: Candidate["path"] = [],
): Candidate[] {
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
  return [
    { path: [...path, "unknown"], value: "text" },
    ...fields.flatMap(([name, field]) => {
      const here = [...path, name];
      const [first] = all(valid[name]);
      return [
        ...[undefined, ...valuesFor(field, valid[name])].map((value) => ({ path: here, value })),
        ...(field.items
          ? candidatesFor(field.items as JsonSchema, first as Record<string, unknown>, [...here, 0])
          : []),
      ];
    }),
  ];
}
