import { useApp } from "../support/app";

jest.setTimeout(60_000);

const ODD = ["infinity", "-infinity", "10000-01-01 00:00:00+00", "0044-03-15 12:00:00+00 BC"];
const AT_THE_EDGE = ["0001-01-01 00:00:00+00", "9999-12-31 23:59:59.999+00"];

describe("a time that is infinite, or whose year has not four digits,", () => {
  const app = useApp();

  const columns = () =>
    app.sql<{ name: string; moment: string }>(
      `SELECT table_name AS name, column_name AS moment FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type LIKE 'timestamp%' AND table_name NOT IN (
         'schema_migrations', 'catalogue_state', 'catalogue_changes', 'used_challenges')
       ORDER BY 1, 2`,
    );

  test("is refused by each table that shows times", async () => {
    await app.make.product();
    await app.make.order();
    await app.make.subscriber();
    await app.make.webhookEndpoint();
    await app.make.category();
    await app.sql(
      `INSERT INTO idempotency_keys (key, fingerprint, order_id) SELECT 'a', 'b', id FROM orders`,
    );
    const { id } = await app.make.admin();
    await app.sql(
      `INSERT INTO sessions (admin_id, idle_until, ends_at) VALUES ($1, now(), now())`,
      [id],
    );
    await app.sql("INSERT INTO one_time_codes (admin_id) VALUES ($1)", [id]);
    await app.sql(
      `INSERT INTO passkeys (admin_id, credential_id, public_key, counter, name)
       VALUES ($1, '', '', 0, 'a')`,
      [id],
    );
    await app.sql("INSERT INTO invitations VALUES ($1, '', now())", [id]);
    const listed = await columns();
    expect(listed.length).toBeGreaterThanOrEqual(14);
    for (const { name, moment } of listed) {
      // Entries of the audit log are kept as they are, whatever is set.
      const change = (time: string) =>
        app.sql(
          name === "audit_entries"
            ? `INSERT INTO audit_entries (at, door, operation, subject, changes) VALUES ($1, 'REST', 'a', 'ORDER', '[]') RETURNING 1`
            : `UPDATE ${name} SET ${moment} = $1 RETURNING 1`,
          [time],
        );
      for (const time of ODD) {
        expect([name, moment, time, await change(time).catch(String)]).toEqual([
          name,
          moment,
          time,
          expect.stringContaining(`"${name}_times"`),
        ]);
      }
      if (name === "product_prices") continue;
      for (const time of AT_THE_EDGE) expect(await change(time)).not.toEqual([]);
    }
  });
});
