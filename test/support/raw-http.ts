import { request, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { messageOf } from "../../src/vocabulary/errors";
import { expectDocumented } from "./documented";

/** An answer, as a client reads it. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined where there is none. */
  readonly body: unknown;
}

/** A request that is sent unchanged: neither its path nor its body is touched. */
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
  // Node's client sets no length for the body of a GET by itself.
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
            expectDocumented({ method, path, status, headers: received, text });
            const parsed: unknown = text === "" ? undefined : JSON.parse(text);
            resolve({ status, headers: received, text, body: parsed });
          } catch (error) {
            const what = `${method} ${path} answered ${status}: ${text.slice(0, 1000)}`;
            reject(new Error(`${messageOf(error)}; ${what}`, { cause: error }));
          }
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** Sends a JSON body unchanged. */
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

/** Opens a connection to the service at `base`, for a client that does not follow HTTP. */
export function openSocket(base: string): Socket {
  const { hostname, port } = new URL(base);
  return connect(Number(port), hostname);
}

/** Sends bytes unchanged, in one packet. Returns everything that comes back until the service closes. */
export async function exchange(base: string, bytes: string): Promise<string> {
  const socket = openSocket(base);
  socket.write(bytes, "latin1");
  return text(socket);
}

/** Sends bytes unchanged. Returns everything that comes back until the first answer is complete. */
export async function sendBytes(base: string, bytes: string): Promise<string> {
  const socket = openSocket(base).setEncoding("utf8");
  socket.write(bytes);
  let received = "";
  for await (const chunk of socket) {
    received += chunk as string;
    const [head = "", body] = received.split("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (body !== undefined && body.length >= Number(length ?? 0)) break;
  }
  return received;
}

/** One of the answers that came over a connection. */
interface Received {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The body as JSON; undefined where there is none. */
  readonly body: unknown;
}

/** The complete answers in the text that came over a connection. */
export function answersIn(received: string): Received[] {
  const answers: Received[] = [];
  let rest = received;
  while (rest !== "") {
    const [head = ""] = rest.split("\r\n\r\n", 1);
    const [line = "", ...fields] = head.split("\r\n");
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(":");
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 2)];
      }),
    );
    const start = head.length + "\r\n\r\n".length;
    const end = start + Number(headers["content-length"] ?? 0);
    const json = rest.slice(start, end);
    answers.push({
      status: Number(line.split(" ")[1]),
      headers,
      body: json === "" ? undefined : JSON.parse(json),
    });
    rest = rest.slice(end);
  }
  return answers;
}
