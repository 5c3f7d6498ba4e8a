import { call, connection } from "../../support/http.mjs";
import { seen } from "../../support/report.mjs";
import { freePort } from "../../support/service.mjs";
import { RENAME, REPRICE } from "../documents.mjs";

const ADMIN = { email: "admin@torture.example", password: "the right password" };

/** Readers of a round, in turns: 1 is the process that changed nothing, 0 the one that did. */
const TURNS = [1, 0, 1, 0, 1];

/**
 * Rounds without a cache, to know how often a read scans the catalogue; each kind of read has
 * the same number of them.
 */
const UNCACHED_ROUNDS = 42;

const CATEGORY_BY_SLUG = "query ($slug: String) { category(slug: $slug) { name } }";
const PRODUCT_BY_SLUG = "query ($slug: String) { product(slug: $slug) { price } }";

/** Every read of the catalogue at both doors, of lists and of single entries, each with the field that changes. */
const readsOf = ({ product, productSlug, category, categorySlug }) => {
  const graphql = (query, variables) => ({
    method: "POST",
    path: "/graphql",
    json: { query, variables },
  });
  return [
    ["name", { path: "/categories" }],
    ["price", { path: "/products" }],
    ["price", { path: "/products?page=1&pageSize=50" }],
    ["price", { path: `/products/${product}` }],
    ["price", { path: `/products/category/${category}` }],
    ["name", graphql("{ categories { name } }")],
    ["name", graphql("query ($id: Int) { category(id: $id) { name } }", { id: category })],
    ["name", graphql(CATEGORY_BY_SLUG, { slug: categorySlug })],
    ["price", graphql("{ products { data { price category { slug } } } }")],
    ["name", graphql("{ products { data { slug category { name } } } }")],
    ["price", graphql("query ($id: Int) { product(id: $id) { price } }", { id: product })],
    ["price", graphql(PRODUCT_BY_SLUG, { slug: productSlug })],
    ["price", graphql("{ productsConnection { edges { node { price } } } }")],
    ["price", graphql("{ categories { products { data { price } } } }")],
  ];
};

export const nothingStale = {
  title: "A read of the catalogue shows what was changed before it, whoever changed it",
  async run(stage, { short }) {
    await stage.set();
    const uncached = await alternate(stage, UNCACHED_ROUNDS, { CATALOGUE_CACHE: "off" });
    const cached = await alternate(stage, short ? 300 : 10_000, {});
    const saved = 1 - cached.scans / uncached.scans;
    return {
      done: `${cached.rounds} changes in turn at 2 processes and by SQL, each followed by ${TURNS.length} reads at both processes, of ${cached.kinds} kinds`,
      findings: [
        seen(`reads ${cached.reads}`),
        seen(`refused ${cached.refused}`, cached.refused === 0),
        seen(`stale ${cached.stale}`, cached.stale === 0),
        seen(
          `scans of the catalogue a round ${cached.scans.toFixed(1)}, without a cache ${uncached.scans.toFixed(1)}`,
          saved >= 1 / 2,
        ),
      ],
    };
  },
};

/** Changes and reads in tight alternation, at two processes with these settings. */
async function alternate(stage, rounds, settings) {
  const { postgres, databaseUrl } = stage;
  const ids = await newestProduct(postgres, databaseUrl);
  const services = await startTwo(stage, settings);
  const agents = services.map(() => connection());
  const send = (index, request) => call(services[index].url, { ...request, agent: agents[index] });
  const login = await send(0, { method: "POST", path: "/auth/login", json: ADMIN });
  const headers = { authorization: `Bearer ${JSON.parse(login.text).access_token}` };
  const change = changesOf({ postgres, databaseUrl, ids, headers, send });

  const reads = readsOf(ids);
  const before = await scansOf(postgres, databaseUrl);
  const result = { rounds, kinds: reads.length, reads: 0, refused: 0, stale: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const changing = round % 2;
    const [what, request] = reads[round % reads.length];
    const shown = await change[what](changing, round);
    for (const turn of TURNS) {
      const { status, text } = await send((changing + turn) % 2, request);
      result.reads += 1;
      if (status !== 200) result.refused += 1;
      else if (!text.includes(shown)) result.stale += 1;
    }
  }
  for (const agent of agents) agent.destroy();
  for (const service of services) service.signal("SIGTERM");
  await Promise.all(services.map(({ ended }) => ended));
  // Sessions report what they scanned when they end.
  const scans = ((await scansOf(postgres, databaseUrl)) - before) / rounds;
  return { ...result, scans };
}

async function startTwo(stage, settings) {
  const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const first = await stage.start({ settings: { ...settings, ...admin } });
  const second = await stage.start({ settings, port: await freePort() });
  return [first, second];
}

/**
 * Functions that change the name or the price, in another way from round to round. They resolve
 * with what a read must show then.
 */
const changesOf = ({ postgres, databaseUrl, ids, headers, send }) => {
  const graphql = (query, variables) => ({
    method: "POST",
    path: "/graphql",
    headers,
    json: { query, variables },
  });
  const sql = (text, values) => postgres.sql(databaseUrl, text, values);
  return {
    name: async (process, round) => {
      const name = `Tea of round ${round}.`;
      const { category: id } = ids;
      const rest = { method: "PATCH", path: `/categories/${id}`, headers, json: { name } };
      if (round % 3 === 0) await sql("UPDATE categories SET name = $2 WHERE id = $1", [id, name]);
      else await send(process, round % 3 === 1 ? rest : graphql(RENAME, { id, name }));
      return `"name":"${name}"`;
    },
    price: async (process, round) => {
      const price = (round / 100).toFixed(2);
      const { product: id } = ids;
      if (round % 3 === 0) await sql("UPDATE products SET price = $2 WHERE id = $1", [id, price]);
      else await send(process, graphql(REPRICE, { id, price }));
      return `"price":"${price}"`;
    },
  };
};

/** The product that leads every list, and its category, which leads the list of categories' pages. */
async function newestProduct(postgres, databaseUrl) {
  const [row] = await postgres.sql(
    databaseUrl,
    `UPDATE products SET created_at = now()
     WHERE id = (SELECT id FROM products ORDER BY created_at DESC, id DESC LIMIT 1)
     RETURNING id AS product, slug AS "productSlug", category_id AS category,
       (SELECT slug FROM categories WHERE id = category_id) AS "categorySlug"`,
  );
  return row;
}

async function scansOf(postgres, databaseUrl) {
  const [{ scans }] = await postgres.sql(
    databaseUrl,
    `SELECT sum(seq_scan + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_user_tables
     WHERE relname IN ('products', 'categories')`,
  );
  return scans;
}
