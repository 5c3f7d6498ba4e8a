import { getIntrospectionQuery } from "graphql";
import { cpuTime } from "../../support/cpu-time.mjs";
import { call } from "../../support/http.mjs";
import { duration, seen } from "../../support/report.mjs";
import { shapes } from "../../support/graphql-shapes.mjs";

const CPU_AT_MOST = 250;
const ANSWER_AT_MOST = 8 * 1024 * 1024;

/** As many categories as the limits assume in a list, and enough products for every page, with the longest texts. */
const CATALOGUE = [
  `INSERT INTO categories (name, slug)
   SELECT 'Category ' || n, 'torture-' || n
   FROM generate_series(1, 10 - (SELECT count(*) FROM categories)) n`,
  `INSERT INTO products (name, slug, description, price, is_active, category_id, created_at)
   SELECT 'Tea ' || n, 'torture-' || n, repeat('ę"', 2500), n % 100, true,
          (SELECT min(id) FROM categories) + n % (SELECT count(*) FROM categories), now() - n * interval '1 minute'
   FROM generate_series(1, 3000) n`,
  "VACUUM ANALYZE products",
];

export const graphqlDocuments = {
  title: "No GraphQL document costs much of the service's time",
  async run(stage, { short }) {
    const { postgres, databaseUrl } = await stage.set();
    for (const statement of CATALOGUE) await postgres.sql(databaseUrl, statement);
    const service = await stage.start();
    const runs = short ? 5 : 15;
    let number = 0;
    let longest = 0;
    const refusals = new Map();
    /** @param {{ query: string, variables?: object }} operation */
    const ask = async ({ query, variables }) => {
      // A text of its own, so that it is parsed and validated again.
      const json = { query: `${query} # ${(number += 1)}`, variables };
      const { status, text } = await call(service.url, { method: "POST", path: "/graphql", json });
      if (![200, 400, 413].includes(status)) throw new Error(`${status}: ${text.slice(0, 200)}`);
      longest = Math.max(longest, Buffer.byteLength(text));
      const isRun = text.startsWith('{"data"') || text.includes('"data":null');
      return { isRun, text };
    };
    const cpuOf = async (request) => {
      await ask(request);
      const before = await cpuTime(service.pid);
      for (let run = 0; run < runs; run += 1) await ask(request);
      return ((await cpuTime(service.pid)) - before) / runs;
    };

    for (let run = 0; run < 300; run += 1) await ask({ query: "{ categories { id } }" });
    const costs = [];
    for (const { title, write, most } of shapes) {
      const size = await largest(most, async (n) => (await ask(write(n))).isRun);
      const accepted = await cpuOf(write(size));
      const refused = size < most ? await cpuOf(write(Math.min(most, 2 * size))) : 0;
      costs.push({ title, size, accepted });
      refusals.set(title, refused);
    }
    const standard = await cpuOf({ query: getIntrospectionQuery() });
    costs.sort((one, other) => other.accepted - one.accepted);
    const [worst] = costs;
    const [dearest, refused] = [...refusals].sort(([, one], [, other]) => other - one)[0];
    return {
      done: `${shapes.length} shapes of documents, each as large as it is accepted, and twice as large; ${runs} of each, none twice; CPU of the service's process`,
      findings: [
        seen(
          costs
            .map(({ title, size, accepted }) => `${title} (${size}) ${duration(accepted)}`)
            .join(", "),
        ),
        seen(
          `the worst, ${worst.title}: ${duration(worst.accepted)}`,
          worst.accepted <= CPU_AT_MOST,
        ),
        seen(`the dearest refusal, ${dearest}: ${duration(refused)}`, refused <= CPU_AT_MOST),
        seen(`the whole schema: ${duration(standard)}`, standard <= CPU_AT_MOST),
        seen(`the longest answer ${longest} bytes`, longest <= ANSWER_AT_MOST),
      ],
    };
  },
};

/** The largest accepted number up to `most`, by bisection. */
async function largest(most, isAccepted) {
  let [accepted, refused] = [1, most + 1];
  while (refused - accepted > Math.max(1, accepted / 50)) {
    const middle = Math.floor((accepted + refused) / 2);
    if (await isAccepted(middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
}
