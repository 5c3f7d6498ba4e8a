import { setTimeout } from "node:timers/promises";
import { signIn } from "../../support/administrator.mjs";
import { call, connection } from "../../support/http.mjs";
import { duration, seen } from "../../support/report.mjs";
import { median, p99, tally } from "../../support/statistics.mjs";

const CLIENTS = 32;
const CHANGED_WITHIN = 250;

/** Milliseconds. Without them, compilation at the beginning would count against the first kind of changes. */
const WARM_UP = 5_000;

const ADMIN = { email: "admin@torture.example", password: "the right password" };

const UPDATE = `mutation ($id: Int!, $input: UpdateProductInput!) {
  updateProduct(id: $id, input: $input) { id }
}`;

export const hotProduct = {
  title: "A product that sells without pause can be changed",
  async run(stage, { short }) {
    const count = short ? 10 : 50;
    const deletions = short ? 5 : 20;
    const { products } = await stage.set();
    const { url } = await stage.start({
      settings: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    });
    const headers = await signIn(url, ADMIN);
    const [id] = products;
    const agent = connection();

    const order = {
      customerEmail: "customer@torture.example",
      items: [{ productId: id, quantity: 1 }],
    };
    let stopping = false;
    const orders = [];
    const clients = Array.from({ length: CLIENTS }, async () => {
      const own = connection();
      while (!stopping) {
        const answer = await call(url, {
          method: "POST",
          path: "/orders",
          json: order,
          agent: own,
        });
        orders.push(answer.status);
      }
      own.destroy();
    });
    await setTimeout(WARM_UP);

    const rest = (method, path, json) => call(url, { method, path, headers, json, agent });
    const graphql = async (query, variables) => {
      const answer = await call(url, {
        method: "POST",
        path: "/graphql",
        headers,
        json: { query, variables },
        agent,
      });
      const [error] = JSON.parse(answer.text || "{}").errors ?? [];
      return error ? { ...answer, status: error.extensions.http.statusCode } : answer;
    };
    const update = (input) => graphql(UPDATE, { id, input });
    const changes = {
      "status at REST": (n) => rest("PATCH", `/products/${id}/status`, { isActive: n % 2 === 1 }),
      "status at GraphQL": (n) => update({ isActive: n % 2 === 1 }),
      "price at GraphQL": (n) => update({ price: `${n + 1}.00` }),
      "slug at GraphQL": (n) => update({ slug: `hot-${n}` }),
    };
    const findings = [];
    for (const [name, change] of Object.entries(changes)) {
      findings.push(judged(name, await inTurn(count, change), 200));
    }
    const remove = () => rest("DELETE", `/products/${id}`);
    findings.push(judged("deletion at REST", await inTurn(deletions, remove), 409));
    const mutation = "mutation ($id: Int!) { deleteProduct(id: $id) { id } }";
    const removeAtGraphql = () => graphql(mutation, { id });
    findings.push(judged("deletion at GraphQL", await inTurn(deletions, removeAtGraphql), 409));
    stopping = true;
    await Promise.all(clients);
    agent.destroy();

    // An order that meets an inactive product is refused, and nothing else is.
    const other = orders.filter((status) => status !== 201 && status !== 400);
    return {
      done: `${CLIENTS} clients order one product without pause; ${count} changes of each kind and ${deletions} deletions at each door, one after another`,
      findings: [
        seen(`orders: ${tally(orders)}`, other.length === 0 && orders.includes(201)),
        ...findings,
      ],
    };
  },
};

async function inTurn(count, send) {
  const answers = [];
  for (let n = 0; n < count; n += 1) answers.push(await send(n));
  return answers;
}

/** Every change must get the expected status, and soon. */
function judged(name, answers, status) {
  const times = answers.map(({ ms }) => ms);
  return seen(
    `${name}: ${tally(answers.map((each) => each.status || each.error))}, ` +
      `median ${duration(median(times))}, p99 ${duration(p99(times))}`,
    answers.every((each) => each.status === status) && p99(times) < CHANGED_WITHIN,
  );
}
