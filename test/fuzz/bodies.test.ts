/** @check */

import { Agent } from "node:http";
import fc from "fast-check";
import { useApp } from "../support/app";
import { fuzzSettings } from "../support/fuzz-settings";
import { sendJson } from "../support/raw-http";
import { anyJson, brokenBytes, mutationsOf } from "./hostile-json";

jest.setTimeout(3_600_000);

const IN_PARALLEL = 8;

interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** The members of a valid body, as JSON text. */
  readonly valid: Record<string, fc.Arbitrary<string>>;
}

const json = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<string> =>
  values.map((value) => JSON.stringify(value));

const name = json(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }));
const slug = json(fc.stringMatching(/^[a-z0-9]{1,12}(-[a-z0-9]{1,12}){0,3}$/));
const flag = json(fc.boolean());
const email = json(fc.emailAddress());
const price = fc.oneof(
  json(fc.integer({ min: 0, max: 9_999_999_999 }).map((cents) => cents / 100)),
  json(fc.integer({ min: 0, max: 9_999_999_999 }).map((cents) => (cents / 100).toFixed(2))),
);

const app = useApp();
let agent: Agent;
let endpoints: Endpoint[];

beforeAll(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: IN_PARALLEL });
  const product = await app.make.product();
  const products = [
    product.id,
    ...(await Promise.all([1, 2, 3].map(() => app.make.product()))).map(({ id }) => id),
  ];
  const item = fc
    .tuple(fc.constantFrom(...products, 1_000_000), fc.integer({ min: 1, max: 1000 }))
    .map(([productId, quantity]) => JSON.stringify({ productId, quantity }));
  const items = fc
    .array(fc.oneof({ weight: 9, arbitrary: item }, { weight: 1, arbitrary: anyJson }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((elements) => `[${elements.join(",")}]`);
  const category = { name, slug, isActive: flag };
  const categoryId = fc.constant(`${product.category_id}`);
  const password = json(fc.string({ unit: "binary", minLength: 1 }));
  endpoints = [
    { method: "POST", path: "/auth/login", valid: { email, password } },
    { method: "POST", path: "/orders", valid: { customerEmail: email, items } },
    { method: "POST", path: "/categories", valid: category },
    { method: "PATCH", path: `/categories/${product.category_id}`, valid: category },
    {
      ...{ method: "POST", path: "/products" },
      valid: { ...category, description: name, price, categoryId },
    },
    { method: "PATCH", path: `/products/${product.id}/status`, valid: { isActive: flag } },
  ];
});
afterAll(() => agent.destroy());

test("any body gets the documented answer or a refusal in the error shape", async () => {
  const { runs, seed } = fuzzSettings();
  const anyRequest = fc.constantFrom(...endpoints).chain((endpoint) => {
    const mutated = mutationsOf(endpoint.valid);
    const body = fc.oneof(
      { weight: 8, arbitrary: mutated.map((text) => Buffer.from(text)) },
      { weight: 2, arbitrary: brokenBytes(mutated) },
    );
    return fc.record({ endpoint: fc.constant(endpoint), body });
  });
  const statuses = new Map<number, number>();
  const administrators = () => app.sql("SELECT * FROM admins ORDER BY id");
  const before = await administrators();
  const answersWell = async (requests: { endpoint: Endpoint; body: Buffer }[]): Promise<void> => {
    await Promise.all(
      requests.map(async ({ endpoint, body }) => {
        const { method, path } = endpoint;
        const headers = { authorization: app.asAdmin };
        const answer = await sendJson(app.url, method, path, body, headers, agent);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        // That the answer is one of the document, `sendJson` judges.
        if ([200, 201, 400, 409, 413].includes(answer.status)) return;
        throw new Error(`${method} ${path} ${body.toString()} => ${answer.status} ${answer.text}`);
      }),
    );
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRequest, { minLength: IN_PARALLEL, maxLength: IN_PARALLEL }),
      answersWell,
    ),
    { numRuns: Math.ceil(runs / IN_PARALLEL), seed },
  );
  expect(await administrators()).toEqual(before);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  // The generator reaches both sides of the door, or it shows nothing.
  for (const status of [200, 201, 400]) expect(statuses.get(status)).toBeGreaterThan(0);
});
