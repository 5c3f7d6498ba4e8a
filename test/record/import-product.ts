import { tea } from "../cli/terminal";
import type { TestApp } from "../support/app";

/** A product of a category that is stored. */
interface ImportedProduct {
  readonly slug: string;
  readonly name: string;
  readonly price: string;
  readonly category_id: number;
}

/** Imports a file with one product, which is created or changed. */
export async function importProduct(app: TestApp, product: ImportedProduct): Promise<void> {
  const { slug, name, price, category_id } = product;
  const [category] = await app.sql<{ slug: string }>("SELECT slug FROM categories WHERE id = $1", [
    category_id,
  ]);
  const entry = { type: "product", slug, name, price, category: category?.slug };
  const outcome = await tea("catalogue import - --format jsonl", {
    environment: { DATABASE_URL: app.database.url },
    input: `${JSON.stringify({ ...entry, isActive: true, description: "" })}\n`,
  });
  expect(outcome).toMatchObject({ exitCode: 0 });
}
