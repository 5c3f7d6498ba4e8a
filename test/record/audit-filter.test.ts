import { dataOf, execute, refusalOf } from "../graphql/client";
import { idsOf, PART, walk, type Connection } from "../graphql/walk";
import { useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { sendJson } from "../support/raw-http";
import { tokenFor } from "../support/tokens";
import { entries, type Entry } from "./entries";

const app = useApp();

const DOCUMENT = `query ($filter: AuditFilter, $first: Int, $after: String, $last: Int, $before: String) {
  auditLog(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    ${PART}
  }
}`;

const part = async (variables: object): Promise<Connection<string>> =>
  (await dataOf<{ auditLog: Connection<string> }>(app, DOCUMENT, variables)).auditLog;

/** Every entry, newest first, of which some are of the same time. */
let all: Entry[];
let ids: { product: number; category: number };
beforeAll(async () => {
  const ada = await app.make.admin({ email: "Ada.Lovelace@example.com" });
  const authorization = `Bearer ${tokenFor(ada, app.settings.tokens.secret)}`;
  const mutate = (field: string) =>
    execute(app, { query: `mutation { ${field} { id } }` }, authorization);
  const product = await app.make.product();
  const order = await app.make.order();
  ids = { product: product.id, category: product.category_id };
  await mutate(`updateProduct(id: ${product.id}, input: { name: "Bancha" })`);
  await mutate(`setProductStatus(id: ${product.id}, isActive: false)`);
  await mutate(`updateCategory(id: ${product.category_id}, input: { name: "Green" })`);
  await mutate(`setOrderStatus(id: ${order.id}, status: PAID)`);
  await sendJson(app.url, "PATCH", `/products/${product.id}/status`, '{"isActive":true}', {
    authorization: app.asAdmin,
  });
  // All of one statement may have the same time.
  await app.sql(
    "INSERT INTO categories (name, slug) SELECT n::text, 'c' || n FROM generate_series(1, 10) AS n",
  );
  await app.sql("UPDATE products SET price = price + 1");
  all = (await entries(app)).reverse();
});

const shown = async (filter: object | null): Promise<string[]> =>
  idsOf(await part({ filter, first: 50 }));

/** Filters, some of which need the entries, and what an entry must be to pass. */
const filters: Record<string, () => [filter: object | null, passes: (entry: Entry) => boolean]> = {
  none: () => [null, () => true],
  "an empty one": () => [{}, () => true],
  nulls: () => [
    { subject: null, subjectId: null, actor: null, operation: null, from: null, before: null },
    () => true,
  ],
  subject: () => [{ subject: "CATEGORY" }, ({ subject }) => subject === "CATEGORY"],
  "a subject that nothing has": () => [{ subject: "WEBHOOK_ENDPOINT" }, () => false],
  subjectId: () => [{ subjectId: ids.product }, ({ subjectId }) => subjectId === ids.product],
  actor: () => [{ actor: "Ada.Lovelace@example.com" }, ({ actor }) => /^ada/i.test(actor!)],
  "actor in another letter case": () => [
    { actor: "ADA.LOVELACE@EXAMPLE.COM" },
    ({ actor }) => /^ada/i.test(actor!),
  ],
  "a part of an actor": () => [{ actor: "ada" }, () => false],
  operation: () => [
    { operation: "setProductStatus" },
    ({ operation }) => operation === "setProductStatus",
  ],
  "operation in another letter case": () => [{ operation: "setproductstatus" }, () => false],
  from: () => [{ from: all[12]!.at }, ({ at }) => at >= all[12]!.at],
  before: () => [{ before: all[12]!.at }, ({ at }) => at < all[12]!.at],
  "from and before": () => [
    { from: all[15]!.at, before: all[2]!.at },
    ({ at }) => at >= all[15]!.at && at < all[2]!.at,
  ],
  "subject and subjectId": () => [
    { subject: "CATEGORY", subjectId: ids.category },
    ({ subject, subjectId }) => subject === "CATEGORY" && subjectId === ids.category,
  ],
  all: () => {
    const [entry] = all.filter(({ operation }) => operation === "updateProduct");
    const { subject, subjectId, actor, operation, at: from } = entry!;
    const before = new Date(Date.parse(from) + 1).toISOString();
    return [{ subject, subjectId, actor, operation, from, before }, ({ id }) => id === entry!.id];
  },
};

graphqlClauseEach("10.audit.filter", "each condition holds", filters, async (filterOf) => {
  const [filter, passes] = filterOf();
  const expected = all.filter(passes);
  expect(await shown(filter)).toEqual(expected.map(({ id }) => id));
  expect((await part({ filter, first: 1 })).totalCount).toBe(expected.length);
});

graphqlClause("10.audit.log", "the log goes both ways, in parts by cursor", async () => {
  const ids = all.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => Number(b) - Number(a)));
  for (const filter of [null, { subject: "CATEGORY" }]) {
    const expected = await shown(filter);
    const forwards = await walk(3, "forwards", (request) => part({ ...request, filter }));
    expect(forwards.flatMap(idsOf)).toEqual(expected);
    const backwards = await walk(3, "backwards", (request) => part({ ...request, filter }));
    expect(backwards.toReversed().flatMap(idsOf)).toEqual(expected);
  }
});

graphqlClause("10.audit.log", "what is out of bounds is refused", async () => {
  const refused: [variables: object, message: string | readonly string[]][] = [
    [{ first: 0 }, "Page size must be between 1 and 50"],
    [{ first: 1, last: 1 }, ["first and after can't be combined with last and before"]],
    [{ after: "nonsense" }, ["after must be a cursor of this connection"]],
    [{ filter: { subjectId: 0 } }, ["subjectId must not be less than 1"]],
    [{ filter: { actor: "" } }, ["actor should not be empty"]],
    [{ filter: { operation: "" } }, ["operation should not be empty"]],
  ];
  const said: unknown[] = [];
  for (const [variables] of refused) {
    const { code, http } = await refusalOf(app, DOCUMENT, variables);
    said.push([variables, http.message]);
    expect(code).toBe("BAD_USER_INPUT");
  }
  expect(said).toEqual(refused);
});
