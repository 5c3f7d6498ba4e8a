import { cpuTime } from "../support/cpu-time.mjs";
import { call } from "../support/http.mjs";
import { inTurn } from "../support/load.mjs";
import { newOrder } from "../support/orders.mjs";
import { median } from "../support/statistics.mjs";
import { Shop, startReceiver } from "./shop.mjs";

const CLIENTS = 32;
const ROUNDS = 11;
const SECONDS = 2;

/** Orders in a shop without an endpoint and in one with an endpoint, in rounds that take turns. */
export async function measureOrders({ postgres, cleanup, short }) {
  const receiver = await startReceiver(cleanup);
  const shops = [];
  for (const endpoints of [0, 1]) {
    const shop = await Shop.create(postgres, cleanup);
    await shop.createEndpoints(receiver.url, endpoints);
    shops.push({ shop, service: await shop.start(), rates: [], costs: [] });
  }
  const rounds = short ? 3 : ROUNDS;
  for (let round = 0; round <= rounds; round += 1) {
    for (const each of round % 2 === 0 ? shops : shops.toReversed()) {
      const measured = await orders(each);
      // The first round warms up.
      if (round === 0) continue;
      each.rates.push(measured.rate);
      each.costs.push(measured.cost);
    }
  }
  const [without, beside] = shops.map(({ rates, costs }) => ({
    rate: median(rates),
    cost: median(costs),
  }));
  return [
    ["POST /orders without an endpoint", told(without)],
    [
      "POST /orders with one endpoint, which takes all events",
      `${told(beside)}; ${(beside.rate / without.rate).toFixed(2)} of the rate without`,
    ],
  ];
}

async function orders({ shop, service }) {
  const before = await cpuTime(service.pid);
  const answers = await inTurn(CLIENTS, SECONDS, (agent) =>
    call(service.url, {
      method: "POST",
      path: "/orders",
      json: newOrder(shop.products).json,
      agent,
    }),
  );
  const placed = answers.filter(({ status }) => status === 201).length;
  return { rate: placed / SECONDS, cost: ((await cpuTime(service.pid)) - before) / placed };
}

const told = ({ rate, cost }) =>
  `${Math.round(rate)} a second, ${cost.toFixed(2)} ms of processor time of the process each`;
