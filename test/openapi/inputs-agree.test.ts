/** @check */

import Ajv2020 from "ajv/dist/2020";
import { DomainError } from "../../src/vocabulary/errors";
import { categoryOperations } from "../../src/openapi/operations/categories";
import { loginOperations } from "../../src/openapi/operations/login";
import { orderOperations } from "../../src/openapi/operations/orders";
import { productOperations } from "../../src/openapi/operations/products";
import type { InputClass, JsonSchema } from "../../src/services/input/rules";
import { validate } from "../../src/services/input/validate";
import { at } from "../support/openapi";
import { candidatesFor, type Candidate } from "./candidates";

jest.setTimeout(60_000);

type Body = Record<string, unknown>;

const bodies = [
  ...loginOperations,
  ...categoryOperations,
  ...productOperations,
  ...orderOperations,
].flatMap(({ body }) => body ?? []);

const schemaOf = (Input: InputClass): JsonSchema =>
  at(`/components/schemas/${Input.name}`) as JsonSchema;

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
    fields: /^(name|description|password)$/,
    acceptedBy: "the schema",
    holds: isText((text) => text.includes("\0") || !text.isWellFormed()),
  },
  "digits beyond the greatest number": {
    reason:
      "`maximum` judges numbers alone, not the strings of digits that are accepted beside them",
    fields: /^(price|categoryId|productId|quantity)$/,
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
function differences({
  Input,
  example,
}: {
  readonly Input: InputClass;
  readonly example: object;
}): { readonly unexpected: string[]; readonly met: Set<string> } {
  const schema = schemaOf(Input);
  const isValid = ajv.compile(schema);
  const unexpected: string[] = [];
  const met = new Set<string>();
  for (const candidate of candidatesFor(schema, example as Body)) {
    const body = withValue(example, candidate);
    const accepts = [isValid(body), isAcceptedBy(Input, body)];
    if (accepts[0] === accepts[1]) continue;
    const acceptedBy = accepts[0] ? "the schema" : "the service";
    const { path, value } = candidate;
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

const named = bodies.map((body): [string, (typeof bodies)[number]] => [body.Input.name, body]);

test.each(named)("the service accepts of %s what its schema accepts", (_name, body) => {
  expect(differences(body).unexpected).toEqual([]);
});

test("every exception is met", () => {
  const met = bodies.flatMap((body) => [...differences(body).met]);
  expect([...new Set(met)].sort()).toEqual(Object.keys(exceptions).sort());
});
