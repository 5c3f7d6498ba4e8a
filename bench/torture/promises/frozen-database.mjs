import { setTimeout } from "node:timers/promises";
import { call, connection } from "../../support/http.mjs";
import { newOrder, place } from "../../support/orders.mjs";
import { duration, seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

const ANSWER_WITHIN = 3_000;
const GOOD_WITHIN = 1_000;
const CLIENTS_PER_REQUEST = 4;

export const frozenDatabase = {
  title: "A frozen database holds up no answer",
  async run(stage, { short }) {
    const { postgres, products } = await stage.set();
    const seconds = short ? 6 : 30;
    const service = await stage.start();
    const { url } = service;
    const login = { email: "nobody@torture.example", password: "no password" };
    const requests = {
      products: (agent) => call(url, { path: "/products", agent }),
      orders: (agent) => place(url, newOrder(products), agent),
      login: (agent) => call(url, { method: "POST", path: "/auth/login", json: login, agent }),
      graphql: (agent) =>
        call(url, {
          method: "POST",
          path: "/graphql",
          json: { query: "{ categories { id } }" },
          agent,
        }),
      ready: (agent) => call(url, { path: "/health/ready", agent }),
      live: (agent) => call(url, { path: "/health/live", agent }),
    };
    const repeated = newOrder(products);
    requests["one key"] = (agent) => place(url, repeated, agent);
    let stopping = false;
    const answers = [];
    const clients = Object.entries(requests).flatMap(([name, send]) =>
      Array.from({ length: CLIENTS_PER_REQUEST }, async () => {
        const agent = connection();
        while (!stopping) {
          const sent = performance.now();
          const answer = await send(agent);
          answers.push({ ...answer, name, sent, answered: performance.now() });
          await setTimeout(20);
        }
        agent.destroy();
      }),
    );
    await setTimeout(1000);
    await postgres.freeze(); // with requests under way
    const frozen = performance.now();
    await setTimeout(seconds * 1000);
    const thawed = performance.now();
    await postgres.thaw();
    while ((await requests.products()).status !== 200) await setTimeout(10);
    const goodAfter = performance.now() - thawed;
    stopping = true;
    await Promise.all(clients);

    // What was under way at either end may well have succeeded, but not late.
    const slowest = Math.max(
      ...answers.filter(({ answered }) => answered >= frozen).map(({ ms }) => ms),
    );
    const during = answers.filter(({ sent, answered }) => sent >= frozen && answered < thawed);
    const wrong = during.filter((answer) => !isRight(answer));
    const kinds = Object.keys(requests).filter((kind) => during.some(({ name }) => name === kind));
    const silent = during.filter(
      ({ status, headers }) => status === 503 && !headers["retry-after"],
    );
    return {
      done: `SIGSTOP of all processes of PostgreSQL for ${seconds} s, ${clients.length} clients`,
      findings: [
        seen(tally(during.map(({ status, error }) => status || error))),
        seen(
          `answered of ${Object.keys(requests).length} kinds of requests: ${kinds.length}`,
          kinds.length === Object.keys(requests).length,
        ),
        seen(
          wrong.length === 0
            ? "200 from liveness, SERVICE_UNAVAILABLE from GraphQL, 503 from all else"
            : `unexpected: ${tally(wrong.map(({ name, status, error }) => `${name} ${status || error}`))}`,
          wrong.length === 0,
        ),
        seen(`503 without Retry-After ${silent.length}`, silent.length === 0),
        seen(`slowest answer ${duration(slowest)}`, slowest < ANSWER_WITHIN),
        seen(`good again within ${duration(goodAfter)}`, goodAfter <= GOOD_WITHIN),
      ],
    };
  },
};

/** GraphQL answers 200 to whatever it understood, and reports failures in the body. */
function isRight({ name, status, text }) {
  if (name === "live") return status === 200;
  if (name !== "graphql") return status === 503;
  const [error] = JSON.parse(text || "{}").errors ?? [];
  return error?.extensions.code === "SERVICE_UNAVAILABLE";
}
