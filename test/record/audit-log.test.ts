import { dataOf } from "../graphql/client";
import { useApp } from "../support/app";

const app = useApp();

interface Entry {
  readonly actor: string;
  readonly door: string;
  readonly operation: string;
  readonly subject: string;
  readonly subjectId: number | null;
  readonly changes: readonly { field: string; before: string | null; after: string | null }[];
  readonly address: string | null;
  readonly requestId: string | null;
  readonly source: string | null;
}

const ENTRY =
  "actor door operation subject subjectId changes { field before after } address requestId source";

/** The entries of the log, oldest first. */
async function entries(filter: object = {}): Promise<Entry[]> {
  const document = `query ($filter: AuditFilter) {
    auditLog(first: 50, filter: $filter) { edges { node { ${ENTRY} } } }
  }`;
  const { auditLog } = await dataOf<{ auditLog: { edges: { node: Entry }[] } }>(app, document, {
    filter,
  });
  return auditLog.edges.map(({ node }) => node).reverse();
}

test("a change over GraphQL leaves an entry: who, from where, what was before and after", async () => {
  const { id } = await app.make.product({ name: "Sencha", price: "12.50" });
  const document = `mutation { updateProduct(id: ${id}, input: { price: "11.90", name: "Gyokuro" }) { version } }`;
  const { updateProduct } = await dataOf<{ updateProduct: { version: number } }>(app, document);
  expect(updateProduct.version).toBe(2);
  const [entry, ...others] = await entries({
    subject: "PRODUCT",
    subjectId: id,
    operation: "updateProduct",
  });
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    door: "GRAPHQL",
    subject: "PRODUCT",
    subjectId: id,
    changes: [
      { field: "name", before: "Sencha", after: "Gyokuro" },
      { field: "price", before: "12.50", after: "11.90" },
    ],
    source: null,
  });
});
