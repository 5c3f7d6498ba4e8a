import { Generator } from "../../support/generator.mjs";
import { call, retryAfter } from "../../support/http.mjs";
import { goodput, inTurn } from "../../support/load.mjs";
import { newOrder, place } from "../../support/orders.mjs";
import { duration, seen } from "../../support/report.mjs";
import { countsText, p99, tally } from "../../support/statistics.mjs";

/** The service is saturated by the fewest connections that reach this share of the peak. */
const SATURATED = 0.9;
const CONNECTIONS = [1, 2, 4, 8, 16, 32, 64];
const LEAST_GOODPUT = 0.8;
const CALM_WITHIN = 5;
const ORDERS = 0.2;
const OPEN_CONNECTIONS = 1000;

export const title = "Overload costs no throughput, and passes";

export async function run(stage, { short }) {
  const { products } = await stage.set();
  const seconds = short ? 10 : 60;
  const step = short ? 2 : 5;
  const { url } = await stage.start();
  const acknowledged = [];
  const send = async (agent) => {
    if (Math.random() > ORDERS) return call(url, { path: "/products", agent });
    const answer = await place(url, newOrder(products), agent);
    if (answer.status === 201) acknowledged.push(JSON.parse(answer.text).id);
    return answer;
  };

  await inTurn(8, step, send); // warm up
  const rates = new Map(CONNECTIONS.map((connections) => [connections, 0]));
  // Up and down again: a machine that grows faster or slower meanwhile favours none.
  for (const connections of [...CONNECTIONS, ...CONNECTIONS.toReversed()]) {
    const rate = goodput(await inTurn(connections, step, send), step);
    rates.set(connections, rates.get(connections) + rate);
  }
  const best = Math.max(...rates.values());
  const [atPeak] = [...rates].find(([, rate]) => rate === best);
  const [connections] = [...rates].find(([, rate]) => rate >= SATURATED * best);
  const measurePeak = async () => goodput(await inTurn(atPeak, seconds / 2, send), seconds / 2);
  const calm = (length) => inTurn(Math.max(1, connections >> 1), length, send);
  const baseline = worstSecond(await calm(2 * CALM_WITHIN));

  const peakBefore = await measurePeak();
  const flood = await inTurn(10 * connections, seconds, send, retryAfter);
  const after = secondsOf(await calm(2 * CALM_WITHIN)).map(p99);
  const calmAt = after.findIndex((each) => each <= baseline);
  const peakAfter = await measurePeak();
  // Measured before and after the flood, for as long in all: both saw the same machine.
  const peak = (peakBefore + peakAfter) / 2;
  const audited = await stage.audit(acknowledged);
  const generator = new Generator(stage.cleanup);
  const open = await measureOpenLoop(generator, url, { products, atPeak, step });

  const rate = goodput(flood, seconds);
  const other = flood.filter(({ status }) => ![200, 201, 503].includes(status));
  const good = flood.filter(({ status }) => status !== 503).map(({ ms }) => ms);
  return [
    seen(
      `saturated by ${connections} connections; peak ${Math.round(peak)} a second with ${atPeak}, ` +
        `${seconds / 2} s before (${Math.round(peakBefore)}) and ${seconds / 2} s after (${Math.round(peakAfter)})`,
    ),
    seen(
      `goodput ${Math.round(rate)} a second, ${Math.round((100 * rate) / peak)} % of the peak`,
      rate >= LEAST_GOODPUT * peak,
    ),
    seen(`${tally(flood.map(({ status, error }) => status || error))}`),
    seen(`p99 of what was admitted ${duration(p99(good))}`),
    seen(
      calmAt < 0
        ? `p99 never back at ${duration(baseline)}: ${after.map(duration).join(", ")}`
        : `p99 back at ${duration(baseline)} within ${calmAt + 1} s`,
      calmAt >= 0 && calmAt < CALM_WITHIN,
    ),
    seen(`answers other than 200, 201 and 503: ${other.length}`, other.length === 0),
    ...audited,
    open,
  ];
}

/**
 * The goodput if requests come twice as often as the service can answer them, whatever it answers. They come
 * from a process that takes less of the machine than these clients, and that measures the peak itself.
 */
async function measureOpenLoop(generator, url, { products, atPeak, step }) {
  const read = { method: "GET", path: "/products" };
  const order = () => ({
    method: "POST",
    path: "/orders",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(newOrder(products).json),
  });
  const requests = Array.from({ length: 20 }, (_, index) => (index < 20 * ORDERS ? order() : read));
  const load = (job) => generator.load({ url, requests, freshKeys: true, ...job });
  const measurePeak = async () =>
    (await load({ connections: atPeak, seconds: 2 * step })).perSecond;
  const before = await measurePeak();
  const rate = Math.round(2 * before);
  const open = await load({ connections: OPEN_CONNECTIONS, seconds: 3 * step, rate });
  const peak = (before + (await measurePeak())) / 2;
  return seen(
    `open loop, ${rate} a second over ${OPEN_CONNECTIONS} connections: goodput ${Math.round(open.perSecond)}, ` +
      `${Math.round((100 * open.perSecond) / peak)} % of the peak (${Math.round(peak)}), ` +
      `p99 ${duration(open.p99)}, ${countsText(open.statuses)}`,
    open.perSecond >= LEAST_GOODPUT * peak,
  );
}

/** The times of each second's answers. */
function secondsOf(answers) {
  const seconds = new Map();
  for (const each of answers) {
    const second = Math.floor(each.at / 1000);
    seconds.set(second, [...(seconds.get(second) ?? []), each]);
  }
  return [...seconds].sort(([a], [b]) => a - b).map(([, each]) => each.map(({ ms }) => ms));
}

const worstSecond = (answers) => Math.max(...secondsOf(answers).map(p99));
