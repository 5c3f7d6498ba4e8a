// A thread: reads a list again and again with some clients, so that the measuring thread need not wait.
import { get } from "node:http";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { connection } from "./http.mjs";

const { url, clients } = workerData;
// The lowest priority: real readers would be on other machines.
setPriority(19);
const lists = [];
let lasting = true;
parentPort.once("message", () => (lasting = false));

/** Reads the list and counts its bytes; parsing them would cost more than the service. `first` is their beginning. */
const read = (agent) =>
  new Promise((resolve) => {
    const started = performance.now();
    const fail = (error) => resolve({ status: 0, error: error.code, bytes: 0, first: "", ms: 0 });
    get(url, { agent }, (incoming) => {
      let bytes = 0;
      let [first, last] = ["", ""];
      incoming.on("data", (chunk) => {
        first ||= String(chunk.subarray(0, 400));
        bytes += chunk.length;
        last = String.fromCharCode(chunk.at(-1));
      });
      incoming.on("error", fail);
      incoming.on("end", () => {
        const ms = performance.now() - started;
        resolve({ status: incoming.statusCode, bytes, first, last, ms });
      });
    }).on("error", fail);
  });

await Promise.all(
  Array.from({ length: clients }, async () => {
    const agent = connection();
    while (lasting) lists.push(await read(agent));
    agent.destroy();
  }),
);
parentPort.postMessage(lists);
