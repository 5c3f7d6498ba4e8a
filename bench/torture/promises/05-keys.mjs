import { setTimeout } from "node:timers/promises";
import { call, retryAfter } from "../../support/http.mjs";
import { newOrder, place } from "../../support/orders.mjs";
import { none, seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

const REQUESTS_PER_KEY = 50;
const KEYS_AT_ONCE = 4;

const MUTATION = `mutation ($input: PlaceOrderInput!, $key: String!) {
  placeOrder(input: $input, idempotencyKey: $key) { id }
}`;

export const title = "A key places one order, however often and wherever it is sent";

export async function run(stage, { short }) {
  const keys = short ? 20 : 200;
  await stage.set();
  const { url } = await stage.start({ settings: { WEB_CONCURRENCY: "2" } });
  const outcomes = [];
  const acknowledged = [];
  let split = 0;
  const orders = Array.from({ length: keys }, () => newOrder(stage.products));
  const worker = async () => {
    for (let order = orders.pop(); order; order = orders.pop()) {
      const requests = Array.from({ length: REQUESTS_PER_KEY }, (_, index) =>
        untilPlaced(() => (index % 2 ? overRest(url, order) : overGraphql(url, order)), outcomes),
      );
      const ids = new Set(await Promise.all(requests));
      if (ids.size !== 1) split += 1;
      acknowledged.push(...ids);
    }
  };
  await Promise.all(Array.from({ length: KEYS_AT_ONCE }, worker));
  const [stored, ...audited] = await stage.audit(acknowledged);
  return [
    seen(`${keys} keys × ${REQUESTS_PER_KEY}: ${tally(outcomes)}`),
    none(
      "other answers",
      outcomes.filter((each) => each !== "placed" && each !== 503),
    ),
    seen(`keys with differing answers ${split}`, split === 0),
    seen(stored.text, parseInt(stored.text, 10) === keys),
    ...audited,
  ];
}

/** Repeats a request until the order is placed. Resolves with the order's id. */
async function untilPlaced(send, outcomes) {
  for (;;) {
    const { id, answer } = await send();
    outcomes.push(id === undefined ? answer.status || answer.error : "placed");
    if (id !== undefined) return id;
    await setTimeout(Math.max(50, retryAfter(answer)));
  }
}

async function overRest(url, order) {
  const answer = await place(url, order);
  return { answer, id: answer.status === 201 ? JSON.parse(answer.text).id : undefined };
}

async function overGraphql(url, { key, json }) {
  const document = { query: MUTATION, variables: { input: json, key } };
  const answer = await call(url, { method: "POST", path: "/graphql", json: document });
  if (answer.status !== 200) return { answer };
  const { data, errors } = JSON.parse(answer.text);
  if (!errors) return { answer, id: data.placeOrder.id };
  // GraphQL answers 200 to whatever it understood: the error tells what REST would have answered.
  const { statusCode, retryAfter } = errors[0].extensions.http;
  return { answer: { status: statusCode, headers: { "retry-after": retryAfter } } };
}
