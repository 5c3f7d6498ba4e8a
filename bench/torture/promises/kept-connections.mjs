import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { newOrder } from "../../support/orders.mjs";
import { seen } from "../../support/report.mjs";
import { tally } from "../../support/statistics.mjs";

/**
 * Pauses in seconds around each limit: for a request (10), for an answer (13), of usual load balancers (60),
 * and the one that clients are told (73 of 75).
 */
const LIMITS = [
  [9.9, 10, 10.1, 11],
  [12, 12.9, 13, 13.1],
  [59.9, 60, 60.1, 61],
  [72, 72.5, 72.9, 73],
];

export const keptConnections = {
  title: "A connection that waits for its next request is there for it",
  async run(stage, { short }) {
    const count = short ? 20 : 100;
    const limits = short ? LIMITS.slice(0, 2) : LIMITS;
    await stage.set();
    const { url } = await stage.start();
    const outcomes = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        placeAfterPauses(
          url,
          stage.products,
          limits.map((pauses) => pauses[index % pauses.length]),
        ),
      ),
    );
    const statuses = outcomes.flat();
    const expected = count * (limits.length + 1);
    const placed = statuses.filter((status) => status === "201").length;
    return {
      done: `${count} connections, each with an order after pauses of about ${limits.map(([, pause]) => Math.ceil(pause)).join(", ")} s; none is opened anew`,
      findings: [seen(`orders: ${tally(statuses)} of ${expected}`, placed === expected)],
    };
  },
};

/**
 * Places an order, and one after each pause in seconds, over one connection. Returns their
 * statuses up to the first failure.
 */
async function placeAfterPauses(url, products, pauses) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const statuses = [];
  try {
    for (const pause of [0, ...pauses]) {
      await setTimeout(pause * 1000);
      if (socket.destroyed || socket.readableEnded) throw new Error("closed");
      const { key, json } = newOrder(products);
      const body = JSON.stringify(json);
      const head = [
        "POST /orders HTTP/1.1",
        `Host: ${host}`,
        "Content-Type: application/json",
        `Idempotency-Key: ${key}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
      ];
      socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
      const [answer] = await once(socket, "data");
      statuses.push(String(answer).slice(9, 12));
    }
  } catch (fault) {
    statuses.push(fault.code ?? fault.message);
  }
  socket.destroy();
  return statuses;
}
