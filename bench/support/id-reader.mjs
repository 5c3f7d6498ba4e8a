// A thread: reads a list once, and reports whether its objects have the expected ids, each once and in order.
import { get } from "node:http";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";

const { url, ids } = workerData;
// The lowest priority: a real reader would be on another machine.
setPriority(19);

const started = performance.now();
const end = (outcome) => parentPort.postMessage({ ...outcome, ms: performance.now() - started });

get(url, (incoming) => {
  let bytes = 0;
  let found = 0;
  let inOrder = true;
  let rest = "";
  incoming.setEncoding("latin1");
  incoming.on("data", (chunk) => {
    bytes += chunk.length;
    const text = rest + chunk;
    const complete = text.lastIndexOf("}") + 1;
    for (const [, id] of text.slice(0, complete).matchAll(/\{"id":(\d+),/g)) {
      inOrder &&= Number(id) === ids[found];
      found += 1;
    }
    rest = text.slice(complete);
  });
  incoming.on("error", (error) => end({ status: 0, error: error.message, bytes, found }));
  incoming.on("end", () => {
    const isWhole = inOrder && found === ids.length && rest === "]";
    end({ status: incoming.statusCode, headers: incoming.headers, bytes, found, isWhole });
  });
}).on("error", (error) => end({ status: 0, error: error.message, bytes: 0, found: 0 }));
