import { createServer, type IncomingMessage, type Server } from "node:http";
import { answerWith, MOST_BYTES, type ReceiverOptions } from "./answer";

/** The receiver without Express. */
export function plainReceiver(options: ReceiverOptions): Server {
  const answer = answerWith(options);
  const receive = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== "POST") return 405;
    const body = await bodyOf(request);
    return body === undefined ? 413 : answer(body, request.headers);
  };
  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // The request has broken off.
      () => response.destroy(),
    );
  });
}

/** The bytes as they were sent; undefined if they are too many, which is found out before all are in memory. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
