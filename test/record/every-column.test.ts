import type { GraphQLObjectType } from "graphql";
import { useApp } from "../support/app";
import { tablesWith } from "../support/dump";
import { schema } from "../support/schema";
import { change, fieldOf, hiddenColumns, leftBy, rowOf, shownChanges } from "./entries";

const app = useApp();

interface Audited {
  readonly table: string;
  readonly subject: string;
  /** GraphQL's type, where there is one. */
  readonly type?: string;
  readonly make: () => Promise<{ id: number }>;
}

/** What the audit log looks at. */
const audited: readonly Audited[] = [
  {
    ...{ table: "categories", subject: "CATEGORY", type: "Category" },
    make: () => app.make.category(),
  },
  { ...{ table: "products", subject: "PRODUCT", type: "Product" }, make: () => app.make.product() },
  { ...{ table: "orders", subject: "ORDER", type: "Order" }, make: () => app.make.order() },
  {
    ...{ table: "newsletter_subscribers", subject: "NEWSLETTER_SUBSCRIBER" },
    type: "NewsletterSubscriber",
    make: () => app.make.subscriber(),
  },
  { ...{ table: "admins", subject: "ADMINISTRATOR" }, make: () => app.make.admin() },
  {
    ...{ table: "webhook_endpoints", subject: "WEBHOOK_ENDPOINT", type: "WebhookEndpoint" },
    make: () => app.make.webhookEndpoint(),
  },
];

/** Columns of items that their orders' entries do not show. */
const hiddenOfItems = ["id", "order_id"];

/** Tables of what the database and the service keep for themselves. */
const unaudited: readonly string[] = [
  ...["audit_entries", "catalogue_changes", "catalogue_state", "customer_addresses", "events"],
  ...["idempotency_keys"],
  ...[
    "invitations",
    "login_failures",
    "one_time_codes",
    "order_counts",
    "passkeys",
    "product_prices",
    "recovery_codes",
    "schema_migrations",
    "sessions",
    "used_challenges",
    "webhook_deliveries",
  ],
];

/** Another value for a column, by its type. */
const otherValues: Readonly<Record<string, (column: string) => string>> = {
  boolean: (column) => `NOT ${column}`,
  numeric: (column) => `${column} + 1`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  text: () => "'another'",
  ARRAY: () => "ARRAY['another']",
  "character varying": () => "'another'",
  order_status: () => "'PAID'",
  "timestamp with time zone": (column) => `coalesce(${column}, now()) - interval '1 day'`,
};

/** Events tell of a request for a confirmation, whose columns no client sees. */
const untold = ["requested_at", "requested_version"];

/** A rotation is in the audit log, but clients see no other endpoint than before. */
const unversioned = ["rotated_at"];

const references: Readonly<Record<string, string>> = {
  category_id: "(SELECT max(id) FROM categories)",
  product_id: "(SELECT max(id) FROM products)",
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isGenerated: boolean;
}

/** The columns of a table, as the database has them now. */
const columnsOf = (table: string): Promise<Column[]> =>
  app.sql<Column>(
    `SELECT column_name AS name, is_generated <> 'NEVER' AS "isGenerated",
       CASE data_type WHEN 'USER-DEFINED' THEN udt_name ELSE data_type END AS type
     FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1`,
    [table],
  );

/** Changes a column of a row by SQL. */
async function changeColumn(table: string, id: number, { name, type }: Column): Promise<void> {
  const value = references[name] ?? otherValues[type]?.(name);
  if (value === undefined) throw new Error(`This test needs another value of the type ${type}`);
  await app.sql(`UPDATE ${table} SET ${name} = ${value} WHERE id = $1`, [id]);
}

const fieldsOf = (type: string): string[] =>
  Object.keys((schema.getType(type) as GraphQLObjectType).getFields());

// A column that is new is shown and counted, or is listed as hidden.
test.each(audited.map(({ table }) => table))("each column of %s is audited", async (table) => {
  const { subject, type, make } = audited.find((each) => each.table === table)!;
  for (const column of await columnsOf(table)) {
    const { name, isGenerated } = column;
    if (name === "id" || isGenerated) {
      expect(hiddenColumns).toContain(name);
      continue;
    }
    const { id } = await make();
    await app.make.category(); // the one that `references` finds
    const before = await rowOf(app, table, id);
    const { left } = await leftBy(app, () => changeColumn(table, id, column));
    const after = await rowOf(app, table, id);
    const isHidden = hiddenColumns.includes(name);
    const shown = left.map((entry) => [entry.subject, entry.subjectId, entry.changes]);
    expect([name, shown]).toEqual([
      name,
      isHidden ? [] : [[subject, id, shownChanges(before, after)]],
    ]);
    const isVersioned = !isHidden && !unversioned.includes(name);
    if (isVersioned && type && !untold.includes(name))
      expect(fieldsOf(type)).toContain(fieldOf(name));
    const raised = Number(after!["version"]) - Number(before!["version"]);
    if ("version" in after!) expect([name, raised]).toEqual([name, isVersioned ? 1 : 0]);
  }
});

/** An order with an item. */
async function makeItem() {
  const [order, product] = [await app.make.order(), await app.make.product()];
  const item = await app.make.orderItem({ order_id: order.id, product_id: product.id });
  return { order, item };
}

test("every column of order_items is in an entry of the order and raises its version, or names the item", async () => {
  for (const column of await columnsOf("order_items")) {
    if (hiddenOfItems.includes(column.name)) continue;
    const { order, item } = await makeItem();
    await app.make.product(); // the one that `references` finds
    const before = await rowOf(app, "orders", order.id);
    const { left } = await leftBy(app, () => changeColumn("order_items", item.id, column));
    const field = `items.${item.id}.${fieldOf(column.name)}`;
    expect(left).toMatchObject([{ subject: "ORDER", subjectId: order.id, changes: [{ field }] }]);
    expect(fieldsOf("OrderItem")).toContain(fieldOf(column.name));
    const after = await rowOf(app, "orders", order.id);
    expect([column.name, after!["version"]]).toEqual([column.name, Number(before!["version"]) + 1]);
  }
});

test("every table is looked at, or listed here as one that the service keeps for itself", async () => {
  const tables = await app.sql<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1",
  );
  const triggered = await app.sql<{ name: string }>(
    `SELECT DISTINCT event_object_table AS name FROM information_schema.triggers
     WHERE trigger_name = 'record_updated' AND trigger_schema = current_schema() ORDER BY 1`,
  );
  expect(triggered.map(({ name }) => name)).toEqual(
    [...audited.map(({ table }) => table), "order_items"].sort(),
  );
  const others = tables.filter(({ name }) => !triggered.some((each) => each.name === name));
  expect(others.map(({ name }) => name)).toEqual(unaudited);
});

const makers: readonly (readonly [table: string, make: Audited["make"]])[] = [
  ...audited.map(({ table, make }) => [table, make] as const),
  ["order_items", async () => (await makeItem()).item],
];

test.each(makers)("the log withholds values of a column new in %s", async (table, make) => {
  const secrets = ["JBSWY3DPEHPK3PXP", "KRSXG5CTMVRXEZLU"];
  await app.sql(`ALTER TABLE ${table} ADD COLUMN totp_secret text DEFAULT '${secrets[0]}'`);
  const { id } = await make();
  await app.sql(`UPDATE ${table} SET totp_secret = $1 WHERE id = $2`, [secrets[1], id]);
  const [last] = await app.sql<{ changes: unknown }>(
    "SELECT changes FROM audit_entries ORDER BY id DESC LIMIT 1",
  );
  const field = table === "order_items" ? `items.${id}.totpSecret` : "totpSecret";
  expect(last!.changes).toEqual([change(field, null, null)]);
  await app.sql(`DELETE FROM ${table} WHERE id = $1`, [id]);
  await make();
  await app.sql(`TRUNCATE ${makers.map(([name]) => name).join(", ")} CASCADE`);
  for (const secret of secrets) expect(await tablesWith(app, secret)).toEqual([]);
});
