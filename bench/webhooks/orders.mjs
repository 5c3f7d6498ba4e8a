import { processorTime } from "../performance/usage.mjs";
import { inTurn } from "../support/load.mjs";
import { newOrder, place } from "../support/orders.mjs";
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
    const shop = await new Shop(postgres, cleanup).set();
    await shop.createEndpoints(receiver.url, endpoints);
    const { products } = shop;
    shops.push({ products, endpoints, service: await shop.start(), rates: [], costs: [] });
  }
  for (let round = 0; round <= (short ? 3 : ROUNDS); round += 1) {
    for (const each of round % 2 === 0 ? shops : shops.toReversed()) {
      const { rate, cost } = await measureRound(each);
      // The first round warms up.
      if (round === 0) continue;
      each.rates.push(rate);
      each.costs.push(cost);
    }
  }
  for (const { endpoints, rates, costs } of shops) {
    const share = median(rates) / median(shops[0].rates);
    console.log(
      `Orders with ${endpoints} endpoints: ${median(rates).toFixed(0)} a second, ${share.toFixed(2)} of those with 0; ` +
        `${median(costs).toFixed(0)} µs of the process each`,
    );
  }
}

async function measureRound({ products, service: { pid, url } }) {
  const before = await processorTime(pid);
  const answers = await inTurn(CLIENTS, SECONDS, (agent) => place(url, newOrder(products), agent));
  const placed = answers.filter(({ status }) => status === 201).length;
  return { rate: placed / SECONDS, cost: ((await processorTime(pid)) - before) / placed };
}
