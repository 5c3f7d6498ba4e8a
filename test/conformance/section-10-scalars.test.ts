import { dataOf, refusalOf } from "../graphql/client";
import { useApp } from "../support/app";
import { clause } from "../support/clause";
import { extensionsOf } from "../support/refusals";

let id: number;
const app = useApp();
beforeAll(async () => {
  ({ id } = await app.make.product({ created_at: "2024-01-31T09:30:00.125Z" }));
});

const change = (price: string, variables = "$id: Int!") =>
  `mutation (${variables}) { updateProduct(id: $id, input: { price: ${price} }) { price } }`;

clause(
  "10.scalars",
  "a Decimal is text with 2 decimals, and may be sent as text or as a number",
  { doors: ["GraphQL"] },
  async () => {
    const answer = { updateProduct: { price: "12.50" } };
    for (const literal of ['"12.5"', "12.5", "12.500"]) {
      expect(await dataOf(app, change(literal), { id })).toEqual(answer);
    }
    for (const price of ["12.50", 12.5]) {
      expect(
        await dataOf(app, change("$price", "$id: Int!, $price: Decimal"), { id, price }),
      ).toEqual(answer);
    }
    const message = [
      "price must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places",
    ];
    expect(await refusalOf(app, change("12.505"), { id })).toEqual(extensionsOf(400, message));
  },
);

clause(
  "10.scalars",
  "a DateTime is ISO 8601 in UTC with milliseconds",
  { doors: ["GraphQL"] },
  async () => {
    const query = "query ($id: Int!) { product(id: $id) { createdAt } }";
    expect(await dataOf(app, query, { id })).toEqual({
      product: { createdAt: "2024-01-31T09:30:00.125Z" },
    });
  },
);
