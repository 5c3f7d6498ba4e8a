import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { signIn } from "../../support/administrator.mjs";
import { call, connection } from "../../support/http.mjs";
import { duration, seen } from "../../support/report.mjs";
import { p99, tally } from "../../support/statistics.mjs";

const PRODUCTS = 100_000;
const ADMIN = { email: "admin@torture.example", password: "the right password" };
const READERS = 8;
const PATHS = ["/products", "/products?page=3", "/categories"];

export const openImport = {
  title: "Nobody waits for a large import whose transaction stays open",
  async run(stage, { short }) {
    const lasting = short ? 5_000 : 30_000;
    await stage.set();
    const settings = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
    const { url } = await stage.start({ settings });
    const headers = await signIn(url, ADMIN);
    const [id] = stage.products;

    let open = true;
    const changes = repeated(
      () => open,
      (agent, n) =>
        call(url, {
          method: "PATCH",
          path: `/products/${id}/status`,
          headers,
          json: { isActive: n % 2 === 0 },
          agent,
        }),
    );
    const reads = Array.from({ length: READERS }, (_, reader) =>
      repeated(
        () => open,
        (agent, n) => call(url, { path: PATHS[(reader + n) % PATHS.length], agent }),
      ),
    );
    const took = await importProducts(stage.databaseUrl, lasting);
    await setTimeout(2_000); // the first readers after it
    open = false;
    const changed = await changes;
    const read = (await Promise.all(reads)).flat();
    const { total } = JSON.parse((await call(url, { path: "/products" })).text).meta;
    return {
      done: `${PRODUCTS} products in one transaction that stays open for ${duration(took)}; meanwhile one client changes a product and ${READERS} read lists`,
      findings: [
        judged("changes", changed),
        judged("reads", read),
        seen(`products listed ${total}`, total >= PRODUCTS),
      ],
    };
  },
};

function judged(what, answers) {
  const statuses = answers.map(({ status }) => status);
  const times = answers.map(({ ms }) => ms);
  const text = `${what}: ${tally(statuses)}, p99 ${duration(p99(times))}`;
  return seen(text, statuses.every((status) => status === 200) && statuses.length > 0);
}

/** Sends a request again and again on one connection, while `lasts` is true. Returns the answers. */
async function repeated(lasts, send) {
  const agent = connection();
  const answers = [];
  while (lasts()) answers.push(await send(agent, answers.length));
  agent.destroy();
  return answers;
}

/** Imports products as somebody's script would. Returns the milliseconds from BEGIN to COMMIT. */
async function importProducts(databaseUrl, lasting) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("SET statement_timeout = 0");
  await client.query("SET idle_in_transaction_session_timeout = 0");
  const started = performance.now();
  await client.query("BEGIN");
  await client.query(
    `INSERT INTO products (name, slug, price, category_id)
     SELECT 'Imported tea ' || n, 'imported-' || n, 1, (SELECT min(id) FROM categories)
     FROM generate_series(1, $1::int) AS n`,
    [PRODUCTS],
  );
  await setTimeout(Math.max(0, lasting - (performance.now() - started)));
  await client.query("COMMIT");
  await client.end();
  return performance.now() - started;
}
