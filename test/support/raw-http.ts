import { request, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";

/** What a client reads of an answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined where there is none. */
  readonly body: unknown;
}

/** A request that is sent as it stands: neither path nor body is touched on the way. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Sends a request to the service at `base`, such as `http://127.0.0.1:40001`. */
export function send(
  base: string,
  { method, path, headers = {}, body }: RawRequest,
  agent?: Agent,
): Promise<Answer> {
  const { hostname, port } = new URL(base);
  // Node's client does not delimit the body of a GET by itself.
  const length = body !== undefined && !("transfer-encoding" in headers) && Buffer.byteLength(body);
  const allHeaders = length === false ? headers : { "content-length": length, ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, method, path, headers: allHeaders, ...(agent && { agent }) },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const { statusCode: status = 0, headers: received } = incoming;
          const text = Buffer.concat(chunks).toString();
          try {
            const parsed: unknown = text === "" ? undefined : JSON.parse(text);
            resolve({ status, headers: received, text, body: parsed });
          } catch {
            reject(new Error(`${method} ${path} answered ${status} with no JSON: ${text}`));
          }
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Sends a JSON body as it stands. */
export const sendJson = (
  base: string,
  method: string,
  path: string,
  body: string | Buffer,
  headers: OutgoingHttpHeaders = {},
  agent?: Agent,
): Promise<Answer> => {
  const allHeaders = { "content-type": "application/json", ...headers };
  return send(base, { method, path, body, headers: allHeaders }, agent);
};

/** Writes bytes to a socket and resolves with all that comes back until the first answer is complete. */
export function sendBytes(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = "";
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      received += text;
      const [head = "", body] = received.split("\r\n\r\n");
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      if (body !== undefined && body.length >= Number(length ?? 0)) socket.destroy();
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}
