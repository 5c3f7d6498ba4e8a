import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { call, connection } from "../../../bench/support/http.mjs";
import { newOrder, place } from "../../../bench/support/orders.mjs";

/** Milliseconds between the requests of a client: the load must not be an overload of its own. */
const PAUSE = 30;

/** A shop in use: clients read the catalogue and place orders, and an administrator logs in and changes products. */
export class Load {
  #stopping = false;
  #running;
  /** What came of each request, with the time of its end. */
  answers = [];

  constructor(url, { products, administrator }) {
    const one = () => products[randomInt(products.length)];
    const read = (path) => (agent) => call(url, { path: path(), agent });
    const login = (agent) =>
      call(url, { method: "POST", path: "/auth/login", json: administrator, agent });
    const clients = [
      read(() => `/products?page=${randomInt(1, 20)}&pageSize=20`),
      read(() => `/products/${one()}`),
      read(() => "/categories"),
      (agent) => place(url, newOrder(products), agent),
      (agent) => place(url, newOrder(products), agent),
      login,
      this.#changes(url, login, one),
    ];
    this.#running = Promise.all(clients.map((send) => this.#run(send)));
  }

  /** Lets each client finish its request; resolves with all answers. */
  async stop() {
    this.#stopping = true;
    await this.#running;
    return this.answers;
  }

  #changes(url, login, one) {
    let token;
    return async (agent) => {
      if (token === undefined) {
        const answer = await login(agent);
        if (answer.status !== 200) return answer;
        token = JSON.parse(answer.text).access_token;
      }
      const headers = { authorization: `Bearer ${token}` };
      const path = `/products/${one()}/status`;
      // Orders of an inactive product would be refused, so it stays active; its row is written all the same.
      return call(url, { method: "PATCH", path, headers, json: { isActive: true }, agent });
    };
  }

  async #run(send) {
    const agent = connection();
    while (!this.#stopping) {
      const { status, error, ms, text } = await send(agent);
      this.answers.push({ status, error, ms, text, at: performance.now() });
      await setTimeout(PAUSE);
    }
    agent.destroy();
  }
}

export const isFailed = ({ status }) => status !== 200 && status !== 201;
