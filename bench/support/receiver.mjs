import { once } from "node:events";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

/** What a receiver does with a message. If it is late, it says so after the sender has given up waiting (15 s). */
export const [TAKES, REFUSES, HANGS, IS_LATE] = ["takes", "refuses", "hangs", "is late"];

const LATE = 16_000;

/** The id by which receivers know an event, as SQL about its row in `events`. */
export const EVENT_ID =
  "'evt_' || events.id || '_' || floor(extract(epoch FROM at) * 1000)::bigint";

/** A receiver of webhooks, which verifies what comes and keeps all of it, in the order in which it came. */
export class Receiver {
  #server;
  #secrets = new Map();
  /** `{ endpoint, id, type, subject, version, data, at, taken }`, where `at` is the time of arrival in ms since 1970. */
  messages = [];
  wrongSignatures = 0;
  /**
   * What it does with the next message of an endpoint.
   *
   * @type {(endpoint: string) => string}
   */
  deed = () => TAKES;

  static async start(cleanup) {
    const receiver = new Receiver();
    receiver.#server = createServer((request, response) => receiver.#receive(request, response));
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    cleanup.add(() => {
      receiver.#server.closeAllConnections();
      receiver.#server.close();
    });
    return receiver;
  }

  /** The address for an endpoint of this name. */
  urlOf(endpoint) {
    return `http://127.0.0.1:${this.#server.address().port}/${endpoint}`;
  }

  /** The secret of an endpoint, without which its messages count as wrongly signed. */
  trust(endpoint, secret) {
    this.#secrets.set(endpoint, new Webhook(secret));
  }

  of(endpoint) {
    return this.messages.filter((message) => message.endpoint === endpoint);
  }

  #receive(request, response) {
    const at = Date.now();
    const chunks = [];
    response.on("error", () => undefined);
    request.on("error", () => undefined);
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => this.#take(request, response, Buffer.concat(chunks).toString(), at));
  }

  #take({ url, headers }, response, body, at) {
    const endpoint = url.slice(1);
    let event;
    try {
      event = this.#secrets.get(endpoint).verify(body, headers);
    } catch {
      this.wrongSignatures += 1;
      response.writeHead(400).end();
      return;
    }
    const { type, data } = event;
    const deed = this.deed(endpoint);
    this.messages.push({
      ...{ endpoint, id: headers["webhook-id"], type, data, at },
      subject: `${type.split(".")[0]} ${data.id}`,
      version: data.version,
      taken: deed === TAKES,
    });
    if (deed === HANGS) return;
    if (deed === IS_LATE) setTimeout(() => response.writeHead(204).end(), LATE).unref();
    else response.writeHead(deed === TAKES ? 204 : 500).end();
  }
}
