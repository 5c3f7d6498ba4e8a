/** @check */

import Ajv2020 from "ajv/dist/2020";
import { DomainError } from "../../src/vocabulary/errors";
import { LoginInput } from "../../src/services/administrators/inputs";
import {
  CreateCategoryInput,
  UpdateCategoryInput,
} from "../../src/services/catalogue/inputs/category-inputs";
import {
  CreateProductInput,
  SetProductStatusInput,
} from "../../src/services/catalogue/inputs/product-inputs";
import type { InputClass } from "../../src/services/input/rules";
import { validate } from "../../src/services/input/validate";
import { OrderFilter, OrderTerms, PlaceOrderInput } from "../../src/services/orders/inputs";
import { at, openapi } from "../support/openapi";
import { candidatesFor, type Candidate, type JsonSchema } from "./candidates";

jest.setTimeout(60_000);

type Body = Record<string, unknown>;

/** What REST takes for an input class, as the document says it. */
interface Described {
  readonly Input: InputClass;
  readonly schema: JsonSchema;
  /** A valid input. */
  readonly example: Body;
}

const classes: readonly InputClass[] = [
  ...[LoginInput, CreateCategoryInput, UpdateCategoryInput],
  ...[CreateProductInput, SetProductStatusInput, PlaceOrderInput],
];

interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: { $ref: string }; example?: Body }>>;
  };
  readonly parameters?: readonly { name: string; schema: JsonSchema; example: unknown }[];
}

const operations = Object.values(openapi.paths).flatMap((methods) =>
  Object.values(methods as object as Readonly<Record<string, Operation>>),
);

/** The bodies of requests. Their schemas are named as the input classes. */
const bodies = operations.flatMap(({ requestBody }): Described[] => {
  const { schema, example } = requestBody?.content["application/json"] ?? {};
  if (!schema || !example) return []; // GraphQL's
  const Input = classes.find(({ name }) => schema.$ref.endsWith(`/${name}`))!;
  return [{ Input, schema: at(schema.$ref.slice(1)) as JsonSchema, example }];
});

/** Fields of an input class that are parameters, by the names of these. */
function parameters(Input: InputClass, fields: Readonly<Record<string, string>>): Described {
  const found = operations.flatMap((operation) => operation.parameters ?? []);
  const described = Object.entries(fields).map(([name, field]) => {
    const { schema, example } = found.find((each) => each.name === name)!;
    return { field, schema, example };
  });
  const properties = Object.fromEntries(described.map(({ field, schema }) => [field, schema]));
  const example = Object.fromEntries(described.map(({ field, example }) => [field, example]));
  return { Input, schema: { properties, additionalProperties: false }, example };
}

const inputs = [
  ...bodies,
  parameters(OrderTerms, {
    "Idempotency-Key": "idempotencyKey",
    "Expected-Total": "expectedTotal",
  }),
  parameters(OrderFilter, { status: "status", customerEmail: "customerEmail" }),
];

const ajv = new Ajv2020({
  strict: false,
  formats: { password: true, email: /^[^\s@]+@[^\s@]+\.[^\s@.]+$/ },
});

/** Where the service differs from the schemas on purpose, because JSON Schema can't say what it does. */
interface Exception {
  readonly reason: string;
  readonly fields: RegExp;
  /** Which of the two accepts the value. */
  readonly acceptedBy: "the schema" | "the service";
  readonly holds: (value: unknown, field: string) => boolean;
}

/** The greatest numbers that the service takes. */
const GREATEST: Readonly<Record<string, number>> = {
  price: 99_999_999.99,
  expectedTotal: 99_999_999.99,
  quantity: 2_147_483_647,
  categoryId: Number.MAX_SAFE_INTEGER,
  productId: Number.MAX_SAFE_INTEGER,
};

const isText =
  (holds: (text: string, field: string) => boolean): Exception["holds"] =>
  (value, field) =>
    typeof value === "string" && holds(value, field);

const exceptions: Readonly<Record<string, Exception>> = {
  "blank names": {
    reason:
      "what is visible is a matter of Unicode's properties, which portable patterns can't name",
    fields: /^name$/,
    acceptedBy: "the schema",
    holds: isText((text) => text !== "" && text.replaceAll("\u200b", "").trim() === ""),
  },
  "blanks around names": {
    reason: "names are trimmed before they are measured",
    fields: /^name$/,
    acceptedBy: "the service",
    holds: isText((text) => text.trim() !== text && text.trim() !== ""),
  },
  "texts that can't be stored": {
    reason:
      "PostgreSQL has no NUL, and a lone surrogate is no character; patterns for it are not portable",
    fields: /^(name|description|password|customerEmail)$/,
    acceptedBy: "the schema",
    holds: isText((text) => text.includes("\0") || !text.isWellFormed()),
  },
  "digits beyond the greatest number": {
    reason:
      "`maximum` judges numbers alone, not the strings of digits that are accepted beside them",
    fields: /^(price|expectedTotal|categoryId|productId|quantity)$/,
    acceptedBy: "the schema",
    holds: isText((text, field) => /^[0-9.]+$/.test(text) && Number(text) > GREATEST[field]!),
  },
  "a third decimal in a number": {
    reason: "`multipleOf: 0.01` refuses valid prices where validators divide doubles",
    fields: /^price$/,
    acceptedBy: "the schema",
    holds: (value) => typeof value === "number" && /\.[0-9]{3}/.test(String(value)),
  },
};

/** The body with the value in its place. */
function withValue(body: object, { path, value }: Candidate): Body {
  const copy = structuredClone(body) as Body;
  const last = path.at(-1)!;
  const holder = path.slice(0, -1).reduce<Body>((each, key) => each[key] as Body, copy);
  if (value === undefined) Reflect.deleteProperty(holder, last);
  else holder[last] = value;
  return copy;
}

function isAcceptedBy(Input: InputClass, body: Body): boolean {
  try {
    validate(Input, body);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** What the service does other than the schema says, and the exceptions that were met. */
function differences({ Input, schema, example }: Described): {
  readonly unexpected: string[];
  readonly met: Set<string>;
} {
  const isValid = ajv.compile(schema);
  const unexpected: string[] = [];
  const met = new Set<string>();
  for (const candidate of candidatesFor(schema, example)) {
    const { path, value } = candidate;
    // Parameters arrive as texts.
    if (!classes.includes(Input) && value !== undefined && typeof value !== "string") continue;
    const body = withValue(example, candidate);
    const accepts = [isValid(body), isAcceptedBy(Input, body)];
    if (accepts[0] === accepts[1]) continue;
    const acceptedBy = accepts[0] ? "the schema" : "the service";
    const field = String(path.at(-1));
    const known = Object.entries(exceptions).find(
      ([, each]) =>
        each.acceptedBy === acceptedBy && each.fields.test(field) && each.holds(value, field),
    );
    if (known) met.add(known[0]);
    else {
      const text = JSON.stringify({ value }).slice(0, 80);
      unexpected.push(`${Input.name} ${path.join(".")} ${text}: only ${acceptedBy} accepts it`);
    }
  }
  return { unexpected, met };
}

const named = inputs.map((input): [string, Described] => [input.Input.name, input]);

test.each(named)("the service accepts of %s what its schema accepts", (_name, input) => {
  expect(differences(input).unexpected).toEqual([]);
});

test("every exception is met", () => {
  const met = inputs.flatMap((input) => [...differences(input).met]);
  expect([...new Set(met)].sort()).toEqual(Object.keys(exceptions).sort());
});
