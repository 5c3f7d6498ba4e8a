import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { signIn } from "../../support/administrator.mjs";
import { call, connection } from "../../support/http.mjs";
import { audit, newOrder, OrderClients, place } from "../../support/orders.mjs";
import { until } from "../../support/processes.mjs";
import { Replica } from "../../support/replica.mjs";
import { auditFindings, duration, seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

const ADMIN = { email: "admin@torture.example", password: "the right password" };
const CLIENTS = 8;
const GOOD_WITHIN = 3_000;
const LIMIT = 60_000;

/** Milliseconds for which both servers take writes after a promotion. */
const BOTH = 2_000;

export const promotions = {
  title: "A replica that is promoted under load has everything that was acknowledged",
  run: (stage, options) => runPromotions(stage, options),
};

/** The promotions. `pooled` makes the address of a database one that leads to it through a pooler. */
export async function runPromotions(stage, { short, pooled = (url) => url, settings = {} }) {
  const times = short ? 2 : 10;
  const { postgres, cleanup, databaseUrl, products } = await stage.set();
  const name = new URL(databaseUrl).pathname.slice(1);
  // Servers of which any may end: the harness's own has to last.
  let primary = await Replica.of(postgres, cleanup);
  await primary.promote();
  let standby = await Replica.of(primary, cleanup);
  const direct = [primary, standby].map((each) => each.url(name));
  const urls = [];
  for (const each of direct) urls.push(await pooled(each));
  const service = await stage.start({
    databaseUrl: oneUrlOf(urls),
    settings: {
      MIGRATION_DATABASE_URL: oneUrlOf(direct),
      DATABASE_REPLICA_URLS: urls.join(),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...settings,
    },
  });
  const clients = new OrderClients(service.url, products, CLIENTS);
  const reader = new Reader(service.url, products, await signIn(service.url, ADMIN));
  const goodAfter = [];
  const written = [];
  for (let time = 1; time <= times; time += 1) {
    await commitAtBoth(primary);
    await setTimeout(randomInt(300, 1_000));
    await (time % 2 === 1 ? primary.kill() : primary.stop());
    await standby.promote();
    goodAfter.push(await untilPlaced(clients));
    await primary.configure("synchronous_standby_names = ''");
    await primary.startAgain();
    const before = await ordersOf(primary, name);
    await setTimeout(BOTH);
    written.push((await ordersOf(primary, name)) - before);
    await primary.kill();
    await primary.follow(standby);
    [primary, standby] = [standby, primary];
  }
  await Promise.all([clients.stop(), reader.stop()]);
  const outcomes = [...clients.outcomes, ...reader.outcomes];
  const wrong = outcomes.filter((each) => ![200, 201, 503].includes(each));
  const slowest = Math.max(...goodAfter);
  const strayed = written.reduce((sum, each) => sum + each, 0);
  const acknowledged = [...clients.acknowledged, ...reader.acknowledged];
  return {
    done: `${times} promotions of the standby that synchronous_standby_names names, after SIGKILL and stop of the primary in turn, which then comes back on its own beside the new one for ${duration(BOTH)}, and follows it; ${CLIENTS} clients repeat orders with their keys, one reads its own; both hosts in DATABASE_URL and in DATABASE_REPLICA_URLS`,
    findings: [
      seen(tally(outcomes)),
      seen(
        wrong.length === 0 ? "no other answers" : `other answers: ${tally(wrong)}`,
        wrong.length === 0,
      ),
      seen(service.isRunning ? "never exited" : "EXITED", service.isRunning),
      ...auditFindings(await audit(primary, primary.url(name), acknowledged)),
      seen(`reads of own orders ${reader.reads}, stale ${reader.stale}`, reader.stale === 0),
      seen(`orders at a former primary ${strayed}`, strayed === 0),
      seen(`good again within ${goodAfter.map(duration).join(", ")}`, slowest <= GOOD_WITHIN),
    ],
  };
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

/** Places orders, and reads each of them with the position that it was told. */
class Reader {
  acknowledged = [];
  outcomes = [];
  reads = 0;
  stale = 0;
  #stopping = false;
  #running;

  constructor(url, products, headers) {
    this.#running = this.#run(url, products, headers);
  }

  async stop() {
    this.#stopping = true;
    await this.#running;
  }

  async #run(url, products, headers) {
    const agent = connection();
    while (!this.#stopping) {
      const order = newOrder(products);
      const { text, headers: told } = await this.#until(201, () => place(url, order, agent));
      this.acknowledged.push(JSON.parse(text).id);
      const position = told["x-session-position"];
      const read = await this.#until(200, () =>
        call(url, {
          path: `/orders?customerEmail=${order.json.customerEmail}`,
          headers: { ...headers, ...(position && { "x-session-position": position }) },
          agent,
        }),
      );
      this.reads += 1;
      if (JSON.parse(read.text).meta.total !== 1) this.stale += 1;
    }
    agent.destroy();
  }

  /** Repeats a request until it is answered so. */
  async #until(status, send) {
    for (;;) {
      const answer = await send();
      this.outcomes.push(answer.status || answer.error);
      if (answer.status === status) return answer;
      await setTimeout(50);
    }
  }
}
