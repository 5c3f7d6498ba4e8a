import { setTimeout } from "node:timers/promises";
import { Agent } from "node:http";
import { connection } from "./http.mjs";

/** Clients that each do something again and again, on a connection of their own, until they are stopped. */
export class Clients {
  #stopping = false;
  #running;

  /** @param {(agent: Agent, index: number) => Promise<unknown>} act */
  constructor(count, act) {
    const client = async (_, index) => {
      const agent = connection();
      while (!this.#stopping) await act(agent, index);
      agent.destroy();
    };
    this.#running = Promise.all(Array.from({ length: count }, client));
  }

  /** Lets each client finish what it does, and resolves then. */
  async stop() {
    this.#stopping = true;
    await this.#running;
  }
}

/** Sends at a steady rate for some seconds, however slow the answers are (an open loop). Resolves with all answers. */
export async function steadily(perSecond, seconds, send) {
  const agent = new Agent({ keepAlive: true });
  const answers = [];
  const started = performance.now();
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const due = started + (number * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 1) await setTimeout(early);
    answers.push(send(agent).then((answer) => ({ ...answer, at: performance.now() - started })));
  }
  const all = await Promise.all(answers);
  agent.destroy();
  return all;
}

/**
 * Each client sends its next request when the last one is answered (a closed loop), after the wait that
 * `pause` reads from the answer, in milliseconds. Resolves with all answers; `at` is the time of an answer
 * since the start, in milliseconds.
 *
 * @param {number} clients
 * @param {number} seconds
 * @param {(agent: Agent) => Promise<any>} send
 * @param {(answer: any) => number} [pause]
 */
export async function inTurn(clients, seconds, send, pause = () => 0) {
  const answers = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  const client = async () => {
    const agent = connection();
    while (performance.now() < end) {
      const answer = await send(agent);
      answers.push({ ...answer, at: performance.now() - started });
      const wait = pause(answer);
      if (wait > 0) await setTimeout(Math.min(wait, Math.max(0, end - performance.now())));
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answers;
}

/** Successes a second. */
export const goodput = (answers, seconds) =>
  answers.filter(({ status }) => status === 200 || status === 201).length / seconds;
