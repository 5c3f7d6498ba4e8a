import { readFileSync } from "node:fs";
import path from "node:path";
import { useApp } from "../support/app";
import { execute } from "./client";

/** A block of docs/graphql.md with its variables, under the headings that it stands below. */
interface Example {
  readonly part: string;
  readonly title: string;
  readonly query: string;
  readonly variables: object;
}

function examplesOf(page: string): Example[] {
  const blocks = /^## (.+)$|^### (.+)$|^```graphql\n([^]+?)^```\n+```json\n([^]+?)^```$/gm;
  const examples: Example[] = [];
  let [part, title] = ["", ""];
  for (const [, partHeading, heading, query, variables] of page.matchAll(blocks)) {
    if (partHeading !== undefined) part = partHeading;
    else if (heading !== undefined) title = heading;
    else if (query !== undefined && variables !== undefined) {
      examples.push({ part, title, query, variables: JSON.parse(variables) as object });
    }
  }
  return examples;
}

const page = readFileSync(path.join(__dirname, "../../docs/graphql.md"), "utf8");
const examples = examplesOf(page);

/** The lookup on the page is of this one. */
const secret = "the secret of docs/graphql.md and of nothing else";
const app = useApp({ data: { secret } });
beforeAll(async () => {
  const { id: category_id } = await app.make.category({ name: "Green tea", slug: "green-tea" });
  const description = "Grassy and sweet";
  await app.make.product({
    name: "Sencha",
    slug: "sencha",
    description,
    price: "13.50",
    category_id,
  });
  await app.sql("UPDATE products SET price = 12.50 WHERE slug = 'sencha'");
  await app.make.product({ name: "Genmaicha", slug: "genmaicha", price: "8.00", category_id });
  const order = await app.make.order({ created_at: "2026-01-31T09:30:00Z" });
  await app.make.orderItem({ order_id: order.id, product_id: 1 });
  await app.make.subscriber();
});

/** Whether there is something to see: no list is empty and nothing that was asked for is null. */
function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isFilled);
  if (typeof value === "object" && value !== null) return Object.values(value).every(isFilled);
  return value !== null && value !== undefined;
}

test("the page has twelve queries, each block with its variables", () => {
  expect(new Set(examples.map(({ title }) => title)).size).toBe(12);
  expect(page.match(/^```graphql$/gm)).toHaveLength(examples.length);
});

test.each(examples.map((each) => [`${each.title}: ${each.query.split("(")[0]}`, each] as const))(
  "%s runs as it is printed",
  async (_label, { part, query, variables }) => {
    const authorization = part === "For administrators" ? app.asAdmin : undefined;
    const { body } = await execute(app, { query, variables }, authorization);
    expect(body.errors).toBeUndefined();
    expect([isFilled(body.data), body.data]).toEqual([true, body.data]);
  },
);

test("what is for administrators is so", async () => {
  for (const { query, variables } of examples.filter(({ part }) => part === "For administrators")) {
    const { body } = await execute(app, { query, variables });
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(["UNAUTHENTICATED"]);
  }
});
