import { once } from "node:events";
import {
  createServer,
  IncomingMessage,
  ServerResponse,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import type { ServerSettings } from "../config/settings";
import { OperatorError } from "../vocabulary/errors";
import { OpenConnections, type ConnectionTimeouts } from "./connections";

export interface RunningServer {
  /** Base URL for clients on this machine, such as `http://localhost:3000`. */
  readonly address: string;
  /**
   * Stops accepting connections and resolves when all are closed. Requests that are in progress, or that still
   * arrive on open connections, are answered with `Connection: close`. After 8 s, open connections are cut off.
   */
  readonly drain: () => Promise<void>;
}

/** How long clients may take, in milliseconds. The connection of a slower client is closed. */
export interface ClientTimeouts extends ConnectionTimeouts {
  /** The time for sending a request; checked once a second. */
  readonly request: number;
}

/** The connection of a client that is slow within a request is closed within 15 s. */
const TIMEOUTS: ClientTimeouts = { request: 10_000, answer: 13_000, idle: 75_000 };
const CHECKING_INTERVAL = 1_000;

/** The idle time in `Keep-Alive` is shorter by this, so that a last request still arrives in time. */
const IDLE_MARGIN = 2_000;

/**
 * Serves a handler over HTTP.
 *
 * @throws OperatorError if it can't listen on the address
 */
export async function startServer(
  handler: Handler,
  settings: ServerSettings,
  given: Partial<ClientTimeouts> = {},
): Promise<RunningServer> {
  const timeouts = { ...TIMEOUTS, ...given };
  const server = createServer({
    ...messageClassesFor(handler),
    connectionsCheckingInterval: Math.min(CHECKING_INTERVAL, timeouts.request),
    headersTimeout: timeouts.request,
    requestTimeout: timeouts.request,
    // The time that `Keep-Alive` announces. Some versions of Node add a second of their own before they close.
    keepAliveTimeout: Math.max(timeouts.idle - IDLE_MARGIN, timeouts.idle / 2),
    requireHostHeader: false, // the application checks `Host` itself, and answers with a body
  });
  // A client may end its side of the connection after the last request and still read the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  const connections = new OpenConnections(server, handler, timeouts);
  await listen(server, settings, "PORT");
  let drained: Promise<void> | undefined;
  return {
    address: addressOf(server),
    drain: () => (drained ??= connections.drain()),
  };
}

function addressOf(server: Server): string {
  const { port, address } = server.address() as AddressInfo;
  const isAny = ["::", "0.0.0.0"].includes(address);
  return `http://${isAny ? "localhost" : hostInUrl(address)}:${port}`;
}

/** Serves requests: an Express application, or any function. */
type Handler = RequestListener & Partial<Pick<Express, "request" | "response">>;

/**
 * The classes of the requests and responses that a server creates for a handler. Express replaces the prototype of
 * every request and response by the application's `request` and `response`; from then on, V8 runs all code on them
 * more slowly. Objects of these classes have the application's prototypes from the start.
 */
export function messageClassesFor(handler: Handler): ServerOptions {
  if (!handler.request || !handler.response) return {};
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Of extends IncomingMessage> extends ServerResponse<Of> {}
  handler.request = inherit(ExpressRequest, handler.request);
  handler.response = inherit(ExpressResponse, handler.response);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** Makes the prototype of a class inherit from `parent` instead of its base class, and returns it. */
const inherit = <T extends object>(Class: { prototype: object }, parent: T): T =>
  Object.setPrototypeOf(Class.prototype, parent) as T;

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "is already in use: stop the program that listens there, or choose another one",
  EACCES: "needs privileges that this process lacks: choose a port from 1024 up",
  EADDRNOTAVAIL: "is not an address of this machine",
  ENOTFOUND: "is not an address of this machine",
};

/**
 * @param setting names the address
 * @throws OperatorError if it can't listen on the address
 */
export async function listen(
  server: Server,
  { port, host }: ServerSettings,
  setting: "PORT" | "METRICS",
): Promise<void> {
  try {
    await once(server.listen({ port, host }), "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const address = host === undefined ? port : `${hostInUrl(host)}:${port}`;
    const reason = reasons[String(code)] ?? `can't be listened on: ${message}`;
    throw new OperatorError(`${setting} ${address} ${reason}`, { cause: error });
  }
}

/**
 * Listens on the address for a moment, so that a start that can't succeed fails at once.
 *
 * @throws OperatorError if it can't listen there
 */
export async function assertListenable(
  settings: ServerSettings,
  setting: "PORT" | "METRICS",
): Promise<void> {
  const server = createServer();
  await listen(server, settings, setting);
  await new Promise((resolve) => server.close(resolve));
}

export const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);
