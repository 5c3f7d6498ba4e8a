import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { ADMIN_SETTINGS, signIn } from "../../support/administrator.mjs";
import { call } from "../../support/http.mjs";
import { audit, OrderClients } from "../../support/orders.mjs";
import { until } from "../../support/processes.mjs";
import { Replica } from "../../support/replica.mjs";
import { auditFindings, duration, none, seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";
import { Client, faultFindings } from "../rounds/client.mjs";
import { stock } from "../rounds/subjects.mjs";

export const title = "Replicas show what a client was told, and lose nothing when one is promoted";

export const run = async (stage, options) => [
  ...(await runRounds(stage, options)),
  ...(await runPromotions(stage, options)),
];

const ROUND_CLIENTS = 4;

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
  { begin: ([one]) => one.restartImmediately(), end: () => undefined, rounds: 0 },
  {
    begin: (both) => Promise.all(both.map((each) => each.pause())),
    end: (both) => Promise.all(both.map((each) => each.resume())),
    rounds: 20,
  },
];

/** What clients see at replicas to which things happen. */
async function runRounds(stage, { short }) {
  const rounds = short ? 1_600 : 10_000;
  const { postgres, cleanup, databaseUrl } = await stage.set();
  const own = await stock(stage, ROUND_CLIENTS);
  const replicas = [await Replica.of(postgres, cleanup), await Replica.of(postgres, cleanup)];
  const name = new URL(databaseUrl).pathname.slice(1);
  const services = await stage.startTwo({
    settings: {
      ...ADMIN_SETTINGS,
      DATABASE_REPLICA_URLS: replicas.map((each) => each.url(name)).join(),
      REPLICA_MAX_LAG: String(MAX_LAG),
      NEWSLETTER_RATE_LIMIT: "0",
    },
  });
  const urls = services.map(({ url }) => url);
  const headers = await signIn(urls[0]);
  const clients = own.map((each) => new Client(each, { urls, headers, maxLag: MAX_LAG }));
  const befallen = await inRounds(clients, replicas, rounds);
  for (const client of clients) client.close();
  await Promise.all(services.map((service) => service.stop()));
  const scans = [];
  for (const server of [postgres, ...replicas]) scans.push(await scansOf(server, name));
  return [
    seen(`${rounds} changes; replicas were paused, frozen or crashed ${befallen} times`),
    ...faultFindings(clients),
    seen(
      `scans of tables: primary ${scans[0]}, replicas ${scans.slice(1).join(" and ")} since their last crash`,
      scans.every((count) => count > 0),
    ),
  ];
}

/** How often the tables of the shop were scanned on a server since it started. */
async function scansOf(server, name) {
  const [{ scans }] = await server.sql(
    server.url(name),
    "SELECT sum(seq_scan + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_user_tables",
  );
  return scans;
}

/** Runs the rounds while things befall the replicas. Resolves with how many did. */
async function inRounds(clients, replicas, rounds) {
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
      await begin(order);
      await reached(at + lasting);
      await end(order);
      count += 1;
    }
    return count;
  };
  const [count] = await Promise.all([befall(), ...clients.map(work)]);
  return count;
}

const ORDER_CLIENTS = 8;
const GOOD_WITHIN = 3_000;
const LIMIT = 60_000;

/** Milliseconds for which both servers take writes after a promotion. */
const BOTH = 2_000;

/** What clients see, and what is stored, when the primary is lost and its standby is promoted. */
async function runPromotions(stage, { short }) {
  const { postgres, cleanup, databaseUrl, products } = await stage.set();
  const name = new URL(databaseUrl).pathname.slice(1);
  // Servers of which any may end: the harness's own has to last.
  let primary = await Replica.of(postgres, cleanup);
  await primary.promote();
  let standby = await Replica.of(primary, cleanup);
  const urls = [primary, standby].map((each) => each.url(name));
  const service = await stage.start({
    databaseUrl: oneUrlOf(urls),
    settings: { ...ADMIN_SETTINGS, DATABASE_REPLICA_URLS: urls.join() },
  });
  const { url } = service;
  const headers = await signIn(url);
  const clients = new OrderClients(url, products, ORDER_CLIENTS);
  const counts = { reads: 0, stale: 0 };
  const reader = new OrderClients(url, products, 1, {
    // Reads each of its orders with the position that the order's answer had.
    then: async ({ json }, { headers: answered }, agent) => {
      const told = answered["x-session-position"];
      const position = told && { "x-session-position": told };
      const path = `/orders?customerEmail=${json.customerEmail}`;
      const send = () => call(url, { path, headers: { ...headers, ...position }, agent });
      const { text } = await reader.repeat(200, send);
      counts.reads += 1;
      if (JSON.parse(text).meta.total !== 1) counts.stale += 1;
    },
  });
  const goodAfter = [];
  let strayed = 0;
  for (let time = 1; time <= (short ? 2 : 10); time += 1) {
    await commitAtBoth(primary);
    await setTimeout(randomInt(300, 1_000));
    await (time % 2 === 1 ? primary.kill() : primary.stop());
    await standby.promote();
    goodAfter.push(await untilPlaced(clients));
    await primary.configure("synchronous_standby_names = ''");
    await primary.startAgain();
    const before = await ordersOf(primary, name);
    await setTimeout(BOTH);
    strayed += (await ordersOf(primary, name)) - before;
    await primary.kill();
    await primary.follow(standby);
    [primary, standby] = [standby, primary];
  }
  await Promise.all([clients.stop(), reader.stop()]);
  const outcomes = [...clients.outcomes, ...reader.outcomes];
  const acknowledged = [...clients.acknowledged, ...reader.acknowledged];
  return [
    seen(`${goodAfter.length} promotions: ${tally(outcomes)}`),
    none(
      "other answers",
      outcomes.filter((each) => ![200, 201, 503].includes(each)),
    ),
    seen(service.isRunning ? "never exited" : "EXITED", service.isRunning),
    ...auditFindings(await audit(primary, primary.url(name), acknowledged)),
    seen(`reads of own orders ${counts.reads}, stale ${counts.stale}`, counts.stale === 0),
    seen(`orders at a former primary ${strayed}`, strayed === 0),
    seen(
      `good again within ${goodAfter.map(duration).join(", ")}`,
      Math.max(...goodAfter) <= GOOD_WITHIN,
    ),
  ];
}

/** One connection string that names the hosts of all. */
function oneUrlOf(urls) {
  const hosts = urls.map((each) => new URL(each).host).join();
  const [first] = urls;
  return first.replace(new URL(first).host, hosts);
}

/** From now on, a change is acknowledged only when the standby has it. */
async function commitAtBoth(primary) {
  const follows = (state) => async () => {
    const found = await primary.tell("SELECT FROM pg_stat_replication WHERE sync_state = $1", [
      state,
    ]);
    return found.length > 0;
  };
  await until(follows("async"), LIMIT, "A standby");
  await primary.tell("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.tell("SELECT pg_reload_conf()");
  await until(follows("sync"), LIMIT, "A synchronous standby");
}

/** Resolves when an order is placed, with the milliseconds since the call. */
async function untilPlaced(clients) {
  const started = performance.now();
  const { length } = clients.acknowledged;
  await until(() => clients.acknowledged.length > length, LIMIT, "An order");
  return performance.now() - started;
}

async function ordersOf(server, name) {
  const [{ count }] = await server.sql(server.url(name), "SELECT count(*)::int FROM orders");
  return count;
}
