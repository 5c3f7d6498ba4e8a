import { connect } from "../../src/database/connection/pool";
import { endOfLog } from "../../src/reads/position";
import type { TestApp } from "../support/app";
import { POSITION } from "../support/replicated-shop";

/** The names of the products that a client sees at REST who sends a position. */
export const namesIn = async (of: TestApp, position?: string): Promise<string[]> => {
  const request = of.http.get("/products");
  const { body } = await (position === undefined ? request : request.set(POSITION, position));
  return (body as { data: { name: string }[] }).data.map(({ name }) => name);
};

export const namesByGraphql = async (of: TestApp, position?: string): Promise<string[]> => {
  const request = of.http.post("/graphql");
  if (position !== undefined) request.set(POSITION, position);
  const { body } = await request.send({
    query: "{ products(page: 1, pageSize: 50) { data { name category { name } } } }",
  });
  return (body as { data: { products: { data: { name: string }[] } } }).data.products.data.map(
    ({ name }) => name,
  );
};

/** Creates a product; returns the position that the answer has. */
export async function create(app: TestApp, name: string): Promise<string> {
  const { id } = await app.make.category();
  const { headers } = await app.http
    .post("/products")
    .set("Authorization", app.asAdmin)
    .send({ name, price: "1.00", categoryId: id })
    .expect(201);
  return String((headers as Record<string, string>)[POSITION.toLowerCase()]);
}

/** The end of the log of the shop's database. */
export async function endOfLogOf({ settings }: TestApp): ReturnType<typeof endOfLog> {
  const pool = connect({ ...settings.database, poolSize: 1 });
  return endOfLog(pool).finally(() => pool.close());
}
