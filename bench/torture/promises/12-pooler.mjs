import { setTimeout } from "node:timers/promises";
import { ADMIN, ADMIN_SETTINGS, signIn } from "../../support/administrator.mjs";
import { call } from "../../support/http.mjs";
import { Clients } from "../../support/load.mjs";
import { newOrder, OrderClients, place } from "../../support/orders.mjs";
import { findPgBouncer, startPgBouncer } from "../../support/pgbouncer.mjs";
import { none, seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

/**
 * Fewer sessions than the service has connections, so that connections share sessions. `since` is the minor
 * version of PgBouncer that is needed: it can track named statements since 1.21.
 */
const KINDS = [
  { poolSize: 3, preparedStatements: 0, since: 0 },
  { poolSize: 1, preparedStatements: 0, since: 0 },
  { poolSize: 3, preparedStatements: 200, since: 21 },
  { poolSize: 1, preparedStatements: 200, since: 21 },
  { poolSize: 3, preparedStatements: 5, since: 21 }, // fewer than there are names
];
const nameOf = ({ poolSize, preparedStatements }) =>
  `${poolSize} ${poolSize === 1 ? "session" : "sessions"}, ${preparedStatements || "no"} prepared statements`;
const [ORDER_CLIENTS, LOGIN_CLIENTS] = [12, 4];

/** Defaults of the database's sessions, which must not reach the service through a pooler. */
const DEFAULTS = {
  datestyle: "'German, DMY'",
  timezone: "'Asia/Kathmandu'",
  standard_conforming_strings: "off",
  default_transaction_isolation: "'serializable'",
};

export const title = "A pooler in transaction mode changes nothing";

export async function run(stage, { short }) {
  const pgBouncer = await findPgBouncer();
  if (!pgBouncer) {
    return [seen("not run: PgBouncer is not installed (Debian's package pgbouncer)")];
  }
  const seconds = short ? 8 : 60;
  const kinds = KINDS.filter(({ since }) => pgBouncer.minor >= since);
  const findings = [seen(pgBouncer.version)];
  for (const kind of kinds) findings.push(...(await behind(pgBouncer, kind, stage, seconds)));
  return findings;
}

async function behind(pgBouncer, kind, stage, seconds) {
  const { postgres, cleanup, databaseUrl, products } = await stage.set();
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const [setting, value] of Object.entries(DEFAULTS)) {
    await stage.sql(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
  }
  const options = { postgres, databaseUrl, ...kind };
  const pooledUrl = await startPgBouncer(pgBouncer, options, cleanup);
  const { url } = await stage.start({
    databaseUrl: pooledUrl,
    settings: {
      NAMED_STATEMENTS: kind.preparedStatements ? "on" : "off",
      MIGRATION_DATABASE_URL: databaseUrl,
      WEB_CONCURRENCY: "2",
      ...ADMIN_SETTINGS,
      BCRYPT_COST: "6",
      NEWSLETTER_RATE_LIMIT: "0",
    },
  });

  const operations = await callAll(url, products);
  const wrong = operations
    .filter(({ expected, answered }) => answered !== expected)
    .map(({ what, answered }) => `${what}: ${answered}`);

  const orders = new OrderClients(url, products, ORDER_CLIENTS, { pause: 5 });
  const logins = [];
  const loginClients = new Clients(LOGIN_CLIENTS, async (agent) => {
    const isRight = logins.length % 3 > 0;
    const { status, error } = await login(url, isRight ? ADMIN.password : "a wrong one", agent);
    logins.push({ status: status || error, expected: isRight ? 200 : 400 });
  });
  let sessions = 0;
  for (let second = 0; second < seconds; second += 1) {
    await setTimeout(1000);
    sessions = Math.max(sessions, (await postgres.sessions(databaseUrl)).length);
  }
  await Promise.all([orders.stop(), loginClients.stop()]);

  const otherOrders = orders.outcomes.filter((each) => each !== 201);
  const otherLogins = logins.filter(({ status, expected }) => status !== expected);
  return [
    seen(nameOf(kind)),
    none(`${operations.length} operations, otherwise than expected`, wrong),
    seen(`orders: ${tally(orders.outcomes)}`, otherOrders.length === 0),
    seen(
      `logins: ${tally(logins.map(({ status }) => status))}; otherwise than expected ${otherLogins.length}`,
      logins.length > 0 && otherLogins.length === 0,
    ),
    seen(`sessions of the database ${sessions}`, sessions > 0 && sessions <= kind.poolSize),
    ...(await stage.audit([...orders.acknowledged, ...operations.orders])),
  ];
}

const login = (url, password, agent) =>
  call(url, { method: "POST", path: "/auth/login", json: { email: ADMIN.email, password }, agent });

/** Calls each operation of both APIs. Returns the answers, and the ids of the placed orders. */
async function callAll(url, products) {
  const headers = await signIn(url);
  const results = [];
  const note = (what, expected, answered) => results.push({ what, expected, answered });

  const rest = async (method, path, expected, json) => {
    const answer = await call(url, { method, path, headers, json });
    note(`${method} ${path}`, expected, answer.status || answer.error);
    return answer.status < 300 ? JSON.parse(answer.text) : {};
  };
  /** Expects data, or an error of a code. */
  const graphql = async (query, expected = "data") => {
    const answer = await call(url, { method: "POST", path: "/graphql", headers, json: { query } });
    const { data, errors } = answer.status === 200 ? JSON.parse(answer.text) : {};
    const answered = errors ? errors[0].extensions.code : data ? "data" : answer.status;
    note(query, expected, answered);
    return data ?? {};
  };

  await rest("GET", "/health/ready", 200);
  await rest("POST", "/auth/login", 400, { email: "nobody@torture.example", password: "none" });
  const category = await rest("POST", "/categories", 201, { name: "Pooled \\' teas" });
  await rest("PATCH", `/categories/${category.id}`, 200, { name: "Pooled teas" });
  await rest("PATCH", "/categories/999999", 404, { name: "Pooled teas" });
  await rest("GET", "/categories", 200);
  const draft = { name: "Pooled tea", price: "1.50", categoryId: category.id, isActive: true };
  const product = await rest("POST", "/products", 201, draft);
  await rest("POST", "/products", 409, { ...draft, slug: product.slug });
  await rest("GET", `/products/${product.id}`, 200);
  await rest("GET", "/products?page=1&pageSize=5", 200);
  await rest("GET", `/products/category/${category.id}`, 200);
  await rest("DELETE", `/categories/${category.id}`, 409);
  const ordered = [{ productId: product.id, quantity: 1 }];
  const order = { customerEmail: "pool@example.com", items: ordered };
  await rest("PATCH", `/products/${product.id}/status`, 200, { isActive: false });
  await rest("POST", "/orders", 400, order);
  await rest("PATCH", `/products/${product.id}/status`, 200, { isActive: true });
  await rest("GET", "/orders?customerEmail=pool@example.com", 200);
  const keyed = newOrder(products);
  const [first, second] = [await place(url, keyed), await place(url, keyed)];
  note(
    "POST /orders twice under a key",
    "201 201 alike",
    `${first.status} ${second.status} ${first.text === second.text ? "alike" : "different"}`,
  );

  const reads = [
    "categories { id products { data { id } meta { total } } }",
    `category(id: ${category.id}) { slug }`,
    'products(filter: { search: "tea" }) { data { category { id } } meta { total } }',
    "productsConnection { totalCount edges { cursor node { id } } }",
    `product(id: ${product.id}) { slug }`,
    "orders { data { items { product { id } } } meta { total } }",
    "ordersConnection { totalCount edges { node { id } } }",
    "newsletterSubscribers { data { email } meta { total } }",
  ];
  for (const read of reads) await graphql(`{ ${read} }`);
  const change = (text, expected = undefined) => graphql(`mutation { ${text} }`, expected);
  const credentials = `email: "${ADMIN.email}", password: "${ADMIN.password}"`;
  await change(`login(input: { ${credentials} }) { accessToken }`);
  await change('subscribeToNewsletter(email: "pool@example.com")');
  await change('unsubscribeFromNewsletter(email: "Pool@example.com")');
  const items = `items: [{ productId: ${product.id}, quantity: 2 }]`;
  const address = 'customerEmail: "pool@example.com"';
  const { placeOrder } = await change(`placeOrder(input: { ${address}, ${items} }) { id }`);
  await graphql(`{ order(id: ${placeOrder?.id}) { items { id } } }`);
  await change(`setOrderStatus(id: ${placeOrder?.id}, status: PAID) { id }`);
  await change(`setOrderStatus(id: ${placeOrder?.id}, status: PENDING) { id }`, "CONFLICT");
  await change(`updateProduct(id: ${product.id}, input: { price: "2" }) { id }`);
  await change(`setProductStatus(id: ${product.id}, isActive: false) { id }`);
  await change(`deleteProduct(id: ${product.id}) { id }`, "CONFLICT");
  const { createCategory } = await change('createCategory(input: { name: "Pooled more" }) { id }');
  const more = `name: "Pooled more", price: "1", categoryId: ${createCategory?.id}`;
  const { createProduct } = await change(`createProduct(input: { ${more} }) { id }`);
  await change(`updateCategory(id: ${createCategory?.id}, input: { isActive: false }) { id }`);
  await rest("DELETE", `/products/${createProduct?.id}`, 200);
  await change(`deleteCategory(id: ${createCategory?.id}) { id }`);
  return Object.assign(results, { orders: [JSON.parse(first.text).id] });
}
