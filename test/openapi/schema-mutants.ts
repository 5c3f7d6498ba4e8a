import type { JsonSchema } from "../../src/services/input/rules";

type Mutant = readonly [label: string, schema: JsonSchema];

/** Other values of a keyword; `undefined` stands for its absence. A keyword that judges nothing has none. */
function othersOf(keyword: string, value: unknown): unknown[] {
  if (typeof value === "number") {
    const isCount = /Length$|Items$/.test(keyword);
    return [value + 1, value - 1].filter((bound) => !isCount || bound >= 0);
  }
  const list: unknown[] = Array.isArray(value) ? value : [value];
  switch (keyword) {
    case "pattern":
    case "additionalProperties":
      return [undefined];
    case "format":
      return value === "email" ? [undefined] : [];
    case "enum":
    case "required":
      return list.map((each) => list.filter((other) => other !== each));
    case "type":
      // A further type, and each type but one; "integer" is part of "number".
      return [
        [...list, "null"],
        ...(list.length > 1 ? list.map((each) => list.filter((other) => other !== each)) : []),
      ];
    default:
      return [];
  }
}

/** The schema with one keyword changed, here or below, for each keyword that judges values. */
export function mutantsOf(schema: JsonSchema, isWhole = true): Mutant[] {
  const own = Object.entries(schema).flatMap(([keyword, value]) =>
    isWhole && keyword === "type" // a body is an object before anything looks at its schema
      ? []
      : othersOf(keyword, value).map((other): Mutant => {
          const { [keyword]: _, ...rest } = schema;
          const label = `${keyword} ${JSON.stringify(other)}`;
          return [label, other === undefined ? rest : { ...rest, [keyword]: other }];
        }),
  );
  const fields = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const below = Object.entries(fields).flatMap(([name, field]) =>
    mutantsOf(field, false).map(([label, mutant]): Mutant => [
      `${name}: ${label}`,
      { ...schema, properties: { ...fields, [name]: mutant } },
    ]),
  );
  const elements = schema.items ? mutantsOf(schema.items as JsonSchema, false) : [];
  return [
    ...own,
    ...below,
    ...elements.map(([label, items]): Mutant => [`element: ${label}`, { ...schema, items }]),
  ];
}
