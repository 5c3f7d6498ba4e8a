import { setTimeout } from "node:timers/promises";
import { call, connection } from "../../support/http.mjs";
import { duration, seen } from "../../support/report.mjs";
import { median, tally } from "../../support/statistics.mjs";

const SOURCES = 5;
const CLIENTS_EACH = 8;
const WITHIN = 5_000;

export const loginSources = {
  title: "Sources that flood the login keep no other from its turn",
  async run(stage, { short }) {
    const tries = short ? 5 : 20;
    await stage.set();
    const { url } = await stage.start({ settings: { TRUST_PROXY: "1" } });
    const login = (from, email, agent) =>
      call(url, {
        method: "POST",
        path: "/auth/login",
        headers: { "x-forwarded-for": from },
        json: { email, password: "no password" },
        agent,
      });

    let stopping = false;
    const flood = [];
    const clients = Array.from({ length: SOURCES * CLIENTS_EACH }, async (_, index) => {
      const agent = connection();
      while (!stopping) {
        flood.push(await login(`198.51.100.${index % SOURCES}`, "flood@torture.example", agent));
        if (flood.at(-1).status === 503) await setTimeout(20); // a flood does not honour Retry-After
      }
      agent.destroy();
    });
    await setTimeout(2_000);
    const answers = [];
    const agent = connection();
    while (answers.length < tries) {
      answers.push(await login("203.0.113.9", "owner@torture.example", agent));
      await setTimeout(Math.random() * 500);
    }
    agent.destroy();
    stopping = true;
    await Promise.all(clients);

    const times = answers.map(({ ms }) => ms);
    const inTime = answers.filter(({ status, ms }) => status === 400 && ms <= WITHIN);
    return {
      done: `${SOURCES} sources log in with ${CLIENTS_EACH} clients each, without a pause, at bcrypt cost 12; a sixth tries ${tries} times meanwhile`,
      findings: [
        seen(
          `the sixth compared within ${duration(WITHIN)}: ${inTime.length} of ${tries}`,
          inTime.length === tries,
        ),
        seen(
          `its answers median ${duration(median(times))}, slowest ${duration(Math.max(...times))}`,
        ),
        seen(`the others': ${tally(flood.map(({ status, error }) => status || error))}`),
      ],
    };
  },
};
