import { signIn } from "../../support/administrator.mjs";
import { until } from "../../support/processes.mjs";
import { Replica } from "../../support/replica.mjs";
import { duration, seen } from "../../support/report.mjs";
import { freePort } from "../../support/service.mjs";
import { Client, FAULTS } from "../rounds/client.mjs";
import { stock } from "../rounds/subjects.mjs";

const ADMIN = { email: "admin@torture.example", password: "the right password" };
const CLIENTS = 4;

/** Milliseconds that a read may be behind changes which its client was not told of. */
const MAX_LAG = 400;

/** Each so many rounds, something befalls the replicas, and others make the changes. */
const BETWEEN = 100;

/** In one of so many of these parts, only one client works. */
const QUIET_EACH = 16;

/**
 * Who makes them: all clients at both processes, all at one of them, or, once in a while, one client at one of them
 * and nobody else.
 */
function workOf(round) {
  const part = Math.floor(round / BETWEEN);
  const at = [[0, 1], [0], [0, 1], [1]][part % 4];
  return { at, isQuiet: part % QUIET_EACH === QUIET_EACH - 1 };
}

/** What befalls them, in turn, and for how many rounds. */
const EVENTS = [
  { begin: ([one]) => one.pause(), end: ([one]) => one.resume(), rounds: 45 },
  { begin: ([one]) => one.freeze(), end: ([one]) => one.thaw(), rounds: 20 },
  {
    begin: async ([one], scans) => {
      await scans.take(one);
      await one.restartImmediately();
    },
    end: () => undefined,
    rounds: 0,
  },
  {
    begin: (both) => Promise.all(both.map((each) => each.pause())),
    end: (both) => Promise.all(both.map((each) => each.resume())),
    rounds: 20,
  },
];

export const replicaRounds = {
  title: "Who was told of a change sees it, whichever process and replica answers",
  run: (stage, options) => runRounds(stage, options),
};

/** The rounds. `pooled` makes the address of a database one that leads to it through a pooler. */
export async function runRounds(stage, { short, pooled = (url) => url, settings = {} }) {
  const rounds = short ? 1_600 : 10_000;
  const { postgres, cleanup, databaseUrl } = await stage.set();
  const own = await stock((text, values) => postgres.sql(databaseUrl, text, values), CLIENTS);
  const replicas = [await Replica.of(postgres, cleanup), await Replica.of(postgres, cleanup)];
  const { pathname } = new URL(databaseUrl);
  const replicaUrls = [];
  for (const each of replicas) replicaUrls.push(await pooled(each.url(pathname.slice(1))));
  const services = await startTwo(stage, {
    databaseUrl: await pooled(databaseUrl),
    settings: { DATABASE_REPLICA_URLS: replicaUrls.join(), ...settings },
  });
  const urls = services.map(({ url }) => url);
  const headers = await signIn(urls[0], ADMIN);
  const clients = own.map((each) => new Client(each, { urls, headers, maxLag: MAX_LAG }));
  const scans = new Scans(databaseUrl, [postgres, ...replicas]);
  await scans.begin();
  const befallen = await inRounds(clients, replicas, { rounds, scans });
  for (const client of clients) client.close();
  await Promise.all(services.map((service) => service.stop()));
  const sum = (of) => clients.reduce((all, client) => all + of(client), 0);
  const slowest = Math.max(...clients.map((client) => client.slowest));
  const scanned = await scans.end();
  for (const fault of FAULTS) {
    const some = clients.flatMap(({ faults }) => faults[fault]).slice(0, 10);
    for (const text of some) console.error(`${fault}: ${text}`);
  }
  for (const text of clients.flatMap(({ faults }) => faults.refused).slice(0, 10)) {
    const [id] = text.split(":");
    const lines = services.flatMap(({ output }) => output.split("\n"));
    for (const line of lines.filter((each) => each.includes(id))) console.error(line);
  }
  return {
    done: `${rounds} changes by ${CLIENTS} clients at 2 processes, in turn or at one of them, at both doors, each followed by 6 reads at both doors and processes, with and without the change's position, or by one at the end of the lag; REPLICA_MAX_LAG ${MAX_LAG}; one of 2 replicas, in turn, ${befallen} times paused, stopped where it stood, crashed and started again, or both paused`,
    findings: [
      seen(
        `reads: REST ${sum(({ counts }) => counts.REST)}, GraphQL ${sum(({ counts }) => counts.GraphQL)}, of which answered 304 ${sum(({ counts }) => counts.unchanged)}`,
      ),
      ...FAULTS.map((fault) => {
        const count = sum(({ faults }) => faults[fault].length);
        return seen(`${fault} ${count}`, count === 0);
      }),
      seen(
        `scans of tables: primary ${scanned[0]}, replicas ${scanned.slice(1).join(" and ")}`,
        scanned.every((count) => count > 0),
      ),
      seen(`slowest answer ${duration(slowest)}`),
    ],
  };
}

async function startTwo(stage, { databaseUrl, settings: given }) {
  const settings = {
    MIGRATION_DATABASE_URL: stage.databaseUrl,
    REPLICA_MAX_LAG: String(MAX_LAG),
    NEWSLETTER_RATE_LIMIT: "0",
    // So that nobody is refused because the harness and three servers share the machine.
    DATABASE_ACQUIRE_TIMEOUT: "5000",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...given,
  };
  const first = await stage.start({ databaseUrl, settings });
  return [first, await stage.start({ databaseUrl, settings, port: await freePort() })];
}

/** Runs the rounds while things befall the replicas. Resolves with how many did. */
async function inRounds(clients, replicas, { rounds, scans }) {
  let begun = 0;
  const reached = (number) => until(() => begun >= number, 3_600_000, "A round");
  const work = async (client) => {
    const others = clients.filter((each) => each !== client);
    while (begun < rounds) {
      const { at, isQuiet } = workOf(begun);
      if (isQuiet && client !== clients[0]) {
        await reached(Math.ceil((begun + 1) / BETWEEN) * BETWEEN);
        continue;
      }
      begun += 1;
      const changing = at[begun % at.length];
      await (isQuiet ? client.quietRound(changing) : client.round(changing, others));
    }
  };
  const befall = async () => {
    let count = 0;
    for (let at = BETWEEN / 2; at + BETWEEN / 2 <= rounds; at += BETWEEN) {
      const { begin, end, rounds: lasting } = EVENTS[count % EVENTS.length];
      const isFirst = Math.floor(count / EVENTS.length) % 2 === 0;
      const order = isFirst ? replicas : replicas.toReversed();
      await reached(at);
      await begin(order, scans);
      await reached(at + lasting);
      await end(order);
      count += 1;
    }
    return count;
  };
  const [count] = await Promise.all([befall(), ...clients.map(work)]);
  return count;
}

/** How often the tables of the shop are scanned on each server; a crash makes a server forget what it has counted. */
class Scans {
  #counts = new Map();

  constructor(databaseUrl, servers) {
    this.name = new URL(databaseUrl).pathname.slice(1);
    for (const server of servers) this.#counts.set(server, 0);
  }

  async begin() {
    for (const server of this.#counts.keys()) this.#add(server, -(await this.#of(server)));
  }

  /** To be called before a server crashes. */
  async take(server) {
    this.#add(server, await this.#of(server));
  }

  async end() {
    for (const server of this.#counts.keys()) await this.take(server);
    return [...this.#counts.values()];
  }

  #add(server, count) {
    this.#counts.set(server, this.#counts.get(server) + count);
  }

  async #of(server) {
    const [{ scans }] = await server.sql(
      server.url(this.name),
      "SELECT sum(seq_scan + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_user_tables",
    );
    return scans;
  }
}
