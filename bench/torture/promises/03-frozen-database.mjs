import { setTimeout } from "node:timers/promises";
import { call } from "../../support/http.mjs";
import { Clients } from "../../support/load.mjs";
import { newOrder, place } from "../../support/orders.mjs";
import { duration, none, seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

const ANSWER_WITHIN = 3_000;
const GOOD_WITHIN = 1_000;
const CLIENTS_PER_REQUEST = 4;

export const title = "A database that is frozen or away holds up no answer";

export async function run(stage, { short }) {
  const { postgres, products } = await stage.set();
  const seconds = short ? 6 : 30;
  const { url } = await stage.start();
  const json = { email: "nobody@torture.example", password: "no password" };
  const query = { query: "{ categories { id } }" };
  const repeated = newOrder(products);
  const requests = {
    products: (agent) => call(url, { path: "/products", agent }),
    orders: (agent) => place(url, newOrder(products), agent),
    "one key": (agent) => place(url, repeated, agent),
    login: (agent) => call(url, { method: "POST", path: "/auth/login", json, agent }),
    graphql: (agent) => call(url, { method: "POST", path: "/graphql", json: query, agent }),
    ready: (agent) => call(url, { path: "/health/ready", agent }),
    live: (agent) => call(url, { path: "/health/live", agent }),
  };
  const states = {
    frozen: [() => postgres.freeze(), () => postgres.thaw()],
    away: [() => postgres.kill(), () => postgres.startAgain()],
  };
  const findings = [];
  for (const [name, [begin, end]] of Object.entries(states)) {
    findings.push(seen(`${name} for ${seconds} s:`));
    findings.push(...(await observe(requests, { begin, end, seconds })));
  }
  return findings;
}

/** What clients see while the database is not there. */
async function observe(requests, { begin, end, seconds }) {
  const answers = [];
  const names = Object.keys(requests);
  const clients = new Clients(names.length * CLIENTS_PER_REQUEST, async (agent, index) => {
    const name = names[index % names.length];
    const sent = performance.now();
    const answer = await requests[name](agent);
    answers.push({ ...answer, name, sent, answered: performance.now() });
    await setTimeout(20);
  });
  await setTimeout(1000);
  await begin(); // with requests under way
  const begun = performance.now();
  await setTimeout(seconds * 1000);
  const ended = performance.now();
  await end();
  const back = performance.now();
  while ((await requests.products()).status !== 200) await setTimeout(10);
  const goodAfter = performance.now() - back;
  await clients.stop();

  // What was under way at either end may well have succeeded, but not late.
  const [slowest] = answers
    .filter(({ answered }) => answered >= begun)
    .sort((one, other) => other.ms - one.ms);
  const during = answers.filter(({ sent, answered }) => sent >= begun && answered < ended);
  const kinds = names.filter((kind) => during.some(({ name }) => name === kind));
  const silent = during.filter(({ status, headers }) => status === 503 && !headers["retry-after"]);
  return [
    seen(`${tally(during.map(({ status, error }) => status || error))}`),
    seen(
      `kinds of requests answered ${kinds.length} of ${names.length}`,
      kinds.length === names.length,
    ),
    none(
      "other than 200 from liveness, SERVICE_UNAVAILABLE from GraphQL, 503 from all else",
      during
        .filter((each) => !isRight(each))
        .map(({ name, status, error }) => `${name} ${status || error}`),
    ),
    seen(`503 without Retry-After ${silent.length}`, silent.length === 0),
    seen(`slowest answer ${duration(slowest.ms)}, ${slowest.name}`, slowest.ms < ANSWER_WITHIN),
    seen(`good again within ${duration(goodAfter)}`, goodAfter <= GOOD_WITHIN),
  ];
}

/** GraphQL answers 200 to whatever it understood, and reports failures in the body. */
function isRight({ name, status, text }) {
  if (name === "live") return status === 200;
  if (name !== "graphql") return status === 503;
  const [error] = JSON.parse(text || "{}").errors ?? [];
  return error?.extensions.code === "SERVICE_UNAVAILABLE";
}
