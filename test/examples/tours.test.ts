import { tour as graphql } from "../../examples/graphql/tour";
import { tour as rest } from "../../examples/rest/tour";
import { useApp } from "../support/app";
import { PASSWORD } from "../support/factories";

const app = useApp();
beforeAll(async () => {
  await app.make.product({ name: "Green tea", price: "4.20" });
});

test.each([
  [
    "REST",
    rest,
    ["A page of 1 products", "Found Green tea for 4.20"],
    [],
    [
      "Refused, customerEmail: customerEmail must be an email",
      "Refused, items.0.quantity: items.0.quantity must not be less than 1",
    ],
  ],
  [
    "GraphQL",
    graphql,
    ["1 products from 4.20 on", "Found 1, among them Green tea for 4.20"],
    ["Its lookup shows Green tea"],
    [
      "Refused: Your e-mail address is not right. Please look at it again.",
      "Refused: The quantity must be at least 1.",
    ],
  ],
] as const)("the tour of %s says what it does", async (_door, tour, reads, later, refusals) => {
  const { email } = await app.make.admin();
  const said: string[] = [];
  await tour(app.url, { email, password: PASSWORD }, (line) => said.push(line));
  const [order] = await app.sql<{ id: number }>("SELECT max(id) AS id FROM orders");
  expect(said).toEqual([
    ...reads,
    `Order ${order!.id} costs 8.40`,
    ...later,
    ...refusals,
    `The newest pending order is ${order!.id}`,
  ]);
});
