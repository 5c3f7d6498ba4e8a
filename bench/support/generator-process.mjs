// A process of its own that loads a server, one job of the parent's after another.
import { randomUUID } from "node:crypto";
import autocannon from "autocannon";
import { quantile } from "./statistics.mjs";

/** Milliseconds between looks at the clock. A job may take that much longer than asked. */
const TICK = 50;

process.on("message", async (/** @type {any} */ job) => process.send(await run(job)));
process.on("disconnect", () => process.exit());

const withKey = (request) => ({
  ...request,
  setupRequest: (each) => ({
    ...each,
    headers: { ...each.headers, "idempotency-key": randomUUID() },
  }),
});

/** Each connection sends all requests, in an order of its own, again and again. */
function setupClient(requests) {
  if (requests.length === 1) return (client) => client.setRequests(requests);
  return (client) =>
    client.setRequests(requests.toSorted(() => Math.random() - 0.5).map((each) => ({ ...each })));
}

function run({ url, requests, freshKeys, connections, seconds, rate }) {
  const all = freshKeys ? requests.map(withKey) : requests;
  const times = [];
  const statuses = {};
  let started;
  return new Promise((resolve, reject) => {
    const options = { url, connections, duration: seconds, sampleInt: TICK, overallRate: rate };
    const instance = autocannon(
      { ...options, setupClient: setupClient(all), excludeErrorStats: true },
      (error, result) => {
        if (error) return reject(error);
        const elapsed = (performance.now() - started) / 1000;
        const [p50, p99] = [0.5, 0.99].map((share) => quantile(times, share));
        resolve({
          count: times.length,
          perSecond: times.length / elapsed,
          p50,
          p99,
          statuses,
          errors: result.errors,
        });
      },
    );
    instance.once("start", () => (started = performance.now()));
    instance.on("response", (_client, status, _bytes, ms) => {
      if (status < 400) times.push(ms);
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
  });
}
