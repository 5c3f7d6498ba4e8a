import { useApp } from "../support/app";
import { tablesWith } from "../support/dump";
import { change } from "./entries";

const app = useApp();

interface Audited {
  readonly make: () => Promise<{ id: number }>;
  /** Columns that entries leave out. */
  readonly hidden: readonly string[];
  /** Columns that entries name without their values. */
  readonly withheld?: readonly string[];
}

/** The audited tables. Of their columns that are not named here, entries show the values (migration 042). */
const audited: Readonly<Record<string, Audited>> = {
  categories: { make: () => app.make.category(), hidden: ["id", "version"] },
  products: {
    make: () => app.make.product(),
    hidden: ["id", "version", "updated_at", "search_text"],
  },
  orders: { make: () => app.make.order(), hidden: ["id", "version"] },
  order_items: {
    make: async () => {
      const [order, product] = [await app.make.order(), await app.make.product()];
      return app.make.orderItem({ order_id: order.id, product_id: product.id });
    },
    hidden: ["id", "order_id"],
  },
  newsletter_subscribers: { make: () => app.make.subscriber(), hidden: ["id", "version"] },
  admins: { make: () => app.make.admin(), hidden: ["id"], withheld: ["password_hash"] },
  webhook_endpoints: {
    make: () => app.make.webhookEndpoint(),
    hidden: ["id", "version", "secret", "previous_secret", "failing_since"],
  },
};

const tables = Object.keys(audited);

test.each(tables)(
  "it is decided of every column of %s whether the audit log shows its values",
  async (table) => {
    const { hidden, withheld = [] } = audited[table]!;
    const columns = await app.sql<{ name: string }>(
      `SELECT attname::text AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [table],
    );
    const [list] = await app.sql<{ shown: string[] }>("SELECT shown_columns($1) AS shown", [table]);
    expect([...list!.shown, ...hidden, ...withheld].sort()).toEqual(
      columns.map(({ name }) => name).sort(),
    );
  },
);

test.each(tables)(
  "the audit log withholds the values of a column that is new in %s",
  async (table) => {
    const secrets = ["JBSWY3DPEHPK3PXP", "KRSXG5CTMVRXEZLU"];
    await app.sql(`ALTER TABLE ${table} ADD COLUMN totp_secret text DEFAULT '${secrets[0]}'`);
    const { id } = await audited[table]!.make();
    await app.sql(`UPDATE ${table} SET totp_secret = $1 WHERE id = $2`, [secrets[1], id]);
    const [last] = await app.sql<{ changes: unknown }>(
      "SELECT changes FROM audit_entries ORDER BY id DESC LIMIT 1",
    );
    const field = table === "order_items" ? `items.${id}.totpSecret` : "totpSecret";
    expect(last!.changes).toEqual([change(field, null, null)]);

    await app.sql(`DELETE FROM ${table} WHERE id = $1`, [id]);
    await audited[table]!.make();
    await app.sql(`TRUNCATE ${tables.join(", ")} CASCADE`);
    for (const secret of secrets) expect(await tablesWith(app, secret)).toEqual([]);
  },
);
