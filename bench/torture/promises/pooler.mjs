import { setTimeout } from "node:timers/promises";
import { call, connection } from "../../support/http.mjs";
import { audit, newOrder, OrderClients, place } from "../../support/orders.mjs";
import { findPgBouncer, startPgBouncer } from "../../support/pgbouncer.mjs";
import { auditFindings, seen } from "../../support/report.mjs";
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
const ADMIN = { email: "torture@torture.example", password: "a password to torture with" };

/** Defaults of the database's sessions, which must not reach the service through a pooler. */
const DEFAULTS = {
  datestyle: "'German, DMY'",
  timezone: "'Asia/Kathmandu'",
  standard_conforming_strings: "off",
  default_transaction_isolation: "'serializable'",
};

export const pooler = {
  title: "A pooler in transaction mode changes nothing",
  async run(stage, { short }) {
    const pgBouncer = await findPgBouncer();
    if (!pgBouncer) {
      return {
        done: "not run: PgBouncer is not installed (Debian's package pgbouncer)",
        findings: [seen("nothing")],
      };
    }
    const seconds = short ? 8 : 60;
    const kinds = KINDS.filter(({ since }) => pgBouncer.minor >= since);
    const findings = [];
    for (const kind of kinds) findings.push(...(await behind(pgBouncer, kind, stage, seconds)));
    return {
      done: `${pgBouncer.version}, pool_mode=transaction, sessions for 2 workers with 8 connections each, on a database of other defaults; all operations of both doors, then ${ORDER_CLIENTS} clients order and ${LOGIN_CLIENTS} log in for ${seconds} s; ${kinds.map(nameOf).join(", ")}`,
      findings,
    };
  },
};

async function behind(pgBouncer, kind, stage, seconds) {
  const { postgres, cleanup, databaseUrl, products } = await stage.set();
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const [setting, value] of Object.entries(DEFAULTS)) {
    await postgres.sql(databaseUrl, `ALTER DATABASE ${name} SET ${setting} = ${value}`);
  }
  const options = { postgres, databaseUrl, ...kind };
  const pooledUrl = await startPgBouncer(pgBouncer, options, cleanup);
  const { url } = await stage.start({
    databaseUrl: pooledUrl,
    settings: {
      NAMED_STATEMENTS: kind.preparedStatements ? "on" : "off",
      MIGRATION_DATABASE_URL: databaseUrl,
      WEB_CONCURRENCY: "2",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      BCRYPT_COST: "6",
      LOGIN_QUEUE_LIMIT: "1000",
      NEWSLETTER_RATE_LIMIT: "0",
    },
  });

  const operations = await callAll(url, products);
  const wrong = operations.filter(({ expected, answered }) => answered !== expected);

  const orders = new OrderClients(url, products, ORDER_CLIENTS, { pause: 5 });
  const logins = [];
  let stopping = false;
  const loginClients = Array.from({ length: LOGIN_CLIENTS }, async (_, index) => {
    const agent = connection();
    for (let number = index; !stopping; number += 1) {
      const password = number % 3 === 0 ? "a wrong password" : ADMIN.password;
      const { status, error } = await login(url, password, agent);
      logins.push({ status: status || error, expected: password === ADMIN.password ? 200 : 400 });
    }
    agent.destroy();
  });
  let sessions = 0;
  for (let second = 0; second < seconds; second += 1) {
    await setTimeout(1000);
    sessions = Math.max(sessions, (await postgres.sessions(databaseUrl)).length);
  }
  stopping = true;
  await Promise.all([orders.stop(), ...loginClients]);

  const otherOrders = orders.outcomes.filter((each) => each !== 201);
  const otherLogins = logins.filter(({ status, expected }) => status !== expected);
  return [
    seen(nameOf(kind)),
    seen(
      `${operations.length} operations, otherwise than expected ${wrong.map(({ what, answered }) => `${what}: ${answered}`).join(", ") || 0}`,
      wrong.length === 0,
    ),
    seen(`orders: ${tally(orders.outcomes)}`, otherOrders.length === 0),
    seen(
      `logins: ${tally(logins.map(({ status }) => status))}; otherwise than expected ${otherLogins.length}`,
      logins.length > 0 && otherLogins.length === 0,
    ),
    seen(`sessions of the database ${sessions}`, sessions > 0 && sessions <= kind.poolSize),
    ...auditFindings(
      await audit(postgres, databaseUrl, [...orders.acknowledged, ...operations.orders]),
    ),
  ];
}

const login = (url, password, agent) =>
  call(url, { method: "POST", path: "/auth/login", json: { email: ADMIN.email, password }, agent });

/** Calls each operation of both doors. Returns the answers, and the ids of the placed orders. */
async function callAll(url, products) {
  const { access_token: token } = JSON.parse((await login(url, ADMIN.password)).text);
  const headers = { authorization: `Bearer ${token}` };
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
  const order = {
    customerEmail: "pool@example.com",
    items: [{ productId: product.id, quantity: 1 }],
  };
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

  await graphql("{ categories { id products { data { id } meta { total } } } }");
  await graphql(`{ category(id: ${category.id}) { slug } }`);
  await graphql(
    '{ products(filter: { search: "tea" }) { data { category { id } } meta { total } } }',
  );
  await graphql("{ productsConnection { totalCount edges { cursor node { id } } } }");
  await graphql(`{ product(id: ${product.id}) { slug } }`);
  await graphql("{ orders { data { items { product { id } } } meta { total } } }");
  await graphql("{ ordersConnection { totalCount edges { node { id } } } }");
  await graphql("{ newsletterSubscribers { data { email } meta { total } } }");
  const credentials = `email: "${ADMIN.email}", password: "${ADMIN.password}"`;
  await graphql(`mutation { login(input: { ${credentials} }) { accessToken } }`);
  await graphql('mutation { subscribeToNewsletter(email: "pool@example.com") }');
  await graphql('mutation { unsubscribeFromNewsletter(email: "Pool@example.com") }');
  const items = `items: [{ productId: ${product.id}, quantity: 2 }]`;
  const { placeOrder } = await graphql(
    `mutation { placeOrder(input: { customerEmail: "pool@example.com", ${items} }) { id } }`,
  );
  await graphql(`{ order(id: ${placeOrder?.id}) { items { id } } }`);
  await graphql(`mutation { setOrderStatus(id: ${placeOrder?.id}, status: PAID) { id } }`);
  await graphql(
    `mutation { setOrderStatus(id: ${placeOrder?.id}, status: PENDING) { id } }`,
    "CONFLICT",
  );
  await graphql(`mutation { updateProduct(id: ${product.id}, input: { price: "2" }) { id } }`);
  await graphql(`mutation { setProductStatus(id: ${product.id}, isActive: false) { id } }`);
  await graphql(`mutation { deleteProduct(id: ${product.id}) { id } }`, "CONFLICT");
  const { createCategory } = await graphql(
    'mutation { createCategory(input: { name: "Pooled more" }) { id } }',
  );
  const { createProduct } = await graphql(
    `mutation { createProduct(input: { name: "Pooled more", price: "1", categoryId: ${createCategory?.id} }) { id } }`,
  );
  await graphql(
    `mutation { updateCategory(id: ${createCategory?.id}, input: { isActive: false }) { id } }`,
  );
  await rest("DELETE", `/products/${createProduct?.id}`, 200);
  await graphql(`mutation { deleteCategory(id: ${createCategory?.id}) { id } }`);
  return Object.assign(results, { orders: [JSON.parse(first.text).id] });
}
