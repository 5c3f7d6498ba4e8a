import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { call } from "../../support/http.mjs";
import { steadily } from "../../support/load.mjs";
import { duration, seen } from "../../support/report.mjs";
import { p99 } from "../../support/statistics.mjs";

const CLOSED_WITHIN = 15_000;
/** Seconds. Idle clients are not slow: they may hold their connection for as long as the setting says. */
const KEEP_ALIVE_TIMEOUT = 10;
const CONNECTED_WITHIN = 4_000;
const WATCH = 20_000;

/** A state in /proc/net/tcp. */
const ESTABLISHED = "01";

const READS_PER_SECOND = 50;

/** When all are connected and none is closed yet, in milliseconds. */
const HELD = { from: 5_000, to: 10_000 };
const SLOWER_AT_MOST = 2;

/** A file of 1 MB. */
const LARGE = "/explorer/assets/graphiql.min.js";

export const title = "Slow clients are closed, and cost others nothing";

export async function run(stage, { short }) {
  const count = short ? 100 : 1000;
  await stage.set();
  const settings = { KEEP_ALIVE_TIMEOUT: String(KEEP_ALIVE_TIMEOUT) };
  const { url } = await stage.start({ settings });
  const read = (agent) => call(url, { path: "/products", agent });
  await steadily(READS_PER_SECOND, 3, read); // warm up
  const baseline = await steadily(READS_PER_SECOND, 5, read);

  const kinds = Object.keys(behaviours);
  const reads = steadily(READS_PER_SECOND, WATCH / 1000, read);
  const clients = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await setTimeout((index * CONNECTED_WITHIN) / count);
      const kind = kinds[index % kinds.length];
      return { kind, closedAfter: undefined, ...(await slowClient(url, behaviours[kind])) };
    }),
  );
  const started = performance.now();
  while (performance.now() - started < WATCH) {
    const open = await openConnections(url);
    for (const each of clients) {
      if (!open.has(each.localPort)) each.closedAfter ??= performance.now() - each.connected;
    }
    await setTimeout(200);
  }
  const during = await reads;
  for (const each of clients) each.close();

  const held = during.filter(({ at }) => at >= HELD.from && at < HELD.to);
  const [before, meanwhile, overall] = [baseline, held, during].map((answers) =>
    p99(answers.map(({ ms }) => ms)),
  );
  const failed = during.filter(({ status }) => status !== 200);
  return [
    ...kinds.map((kind) => {
      const times = clients.filter((each) => each.kind === kind).map((each) => each.closedAfter);
      const open = times.filter((each) => each === undefined).length;
      const slowest = Math.max(...times.filter((each) => each !== undefined));
      return seen(
        open > 0 ? `${kind}: ${open} still open` : `${kind}: closed after ${duration(slowest)}`,
        open === 0 && slowest <= CLOSED_WITHIN,
      );
    }),
    seen(`failed ordinary reads ${failed.length}`, failed.length === 0),
    seen(
      `their p99 ${duration(before)} before, ${duration(meanwhile)} while all slow ones are held, ` +
        `${duration(overall)} with their coming and their closing`,
      meanwhile <= SLOWER_AT_MOST * before,
    ),
  ];
}

const HEAD = "Host: torture.example\r\nContent-Type: application/json\r\n";

/** What slow clients do once they are connected. The returned function is called each second. */
const behaviours = {
  silent: () => undefined,
  "slow header": (socket) => {
    socket.write(`GET /products HTTP/1.1\r\n${HEAD}`);
    return () => socket.write("X");
  },
  "slow body": (socket) => {
    socket.write(`POST /orders HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\n{`);
    return () => socket.write(" ");
  },
  "slow read": (socket) => {
    socket.pause();
    // More answers than the system's buffers hold.
    socket.write(`GET ${LARGE} HTTP/1.1\r\nHost: torture.example\r\n\r\n`.repeat(6));
    return () => socket.read(100);
  },
  "idle after an answer": (socket) => {
    socket.write("GET /health/live HTTP/1.1\r\nHost: torture.example\r\n\r\n");
  },
};

/** Connects a slow client; resolves with its port. */
async function slowClient(url, behave) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const { localPort } = socket;
  if (behave !== behaviours["slow read"]) socket.resume();
  const again = behave(socket);
  const timer = setInterval(() => again?.(), 1000);
  const close = () => {
    clearInterval(timer);
    socket.destroy();
  };
  socket.once("close", close);
  return { localPort, connected: performance.now(), close };
}

/**
 * The clients' ports of the connections that a server still has, according to the system: a client that does
 * not read learns late that it was closed.
 */
async function openConnections(url) {
  const { port } = new URL(url);
  const lines = (await readFile("/proc/net/tcp", "utf8")).split("\n").slice(1, -1);
  const portOf = (address) => parseInt(address.split(":")[1], 16);
  return new Set(
    lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => portOf(local) === Number(port) && state === ESTABLISHED)
      .map(([, , remote]) => portOf(remote)),
  );
}
