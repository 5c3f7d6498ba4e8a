import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import {
  createServer as createNetServer,
  type AddressInfo,
  type Server as NetServer,
} from "node:net";
import type { ServerSettings } from "../config/settings";
import { OperatorError } from "../errors";
import { errorBody } from "../http/error-body";
import { pathOf } from "../http/path-of";
import { lastAnswer, statusOf } from "./client-error";

/** Milliseconds for a client to send a request. */
const REQUEST_TIMEOUT = 5_000;

interface Page {
  readonly mediaType: string;
  readonly text: string;
}

export interface MetricsServer {
  /** Base URL, with the host of the settings. */
  readonly address: string;
  /** Closes it with all its connections. */
  close(): void;
}

/**
 * Serves a page at `GET /metrics`, and nothing else. Requests that come while a page is made get the same one,
 * so that many of them cost no more than one.
 *
 * @throws OperatorError if it can't listen on the address
 */
export async function startMetricsServer(
  settings: ServerSettings,
  page: () => Promise<Page>,
): Promise<MetricsServer> {
  const server = createServer(
    { headersTimeout: REQUEST_TIMEOUT, requestTimeout: REQUEST_TIMEOUT },
    serving(shared(page)),
  );
  server.on("clientError", (error, socket) => {
    if (socket.writable) socket.end(lastAnswer(errorBody(statusOf(error))));
  });
  await listen(server, settings);
  return {
    address: `http://${nameOf(settings) ?? "localhost"}:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Listens on the address for a moment, before anything is done in vain.
 *
 * @throws OperatorError if it can't listen there
 */
export async function assertMetricsListenable(settings: ServerSettings): Promise<void> {
  const server = createNetServer();
  await listen(server, settings);
  await new Promise((resolve) => server.close(resolve));
}

async function listen(server: NetServer, settings: ServerSettings): Promise<void> {
  const { host, port } = settings;
  try {
    server.listen({ port, host });
    await once(server, "listening");
  } catch (error) {
    const name = nameOf(settings);
    throw new OperatorError(listenFault(error as Error, name ? `${name}:${port}` : `${port}`), {
      cause: error,
    });
  }
}

/** The host as it is in URLs. */
const nameOf = ({ host }: ServerSettings): string | undefined =>
  host?.includes(":") ? `[${host}]` : host;

/** Calls that come before an earlier one has settled get its result. */
function shared<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | undefined;
  return () => (pending ??= call().finally(() => (pending = undefined)));
}

const serving =
  (page: () => Promise<Page>): RequestListener =>
  (request, response) => {
    const send = (status: number, { mediaType, text }: Page): void => {
      response.writeHead(status, {
        "Content-Type": mediaType,
        "Content-Length": Buffer.byteLength(text),
        "Cache-Control": "no-store",
      });
      response.end(text);
    };
    const refuse = (status: 404 | 500, message?: string): void =>
      send(status, {
        mediaType: "application/json; charset=utf-8",
        text: JSON.stringify(errorBody(status, message)),
      });
    const { method = "", url = "" } = request;
    if (method !== "GET" || pathOf(url) !== "/metrics") {
      refuse(404, `Cannot ${method} ${pathOf(url)}`);
      return;
    }
    page().then(
      (found) => send(200, found),
      () => refuse(500),
    );
  };

const faults: Readonly<Record<string, string>> = {
  EADDRINUSE: "is already in use: stop the program that listens there, or choose another one",
  EACCES: "needs privileges that this process lacks: choose a port from 1024 up",
  EADDRNOTAVAIL: "is not an address of this machine",
  ENOTFOUND: "is not an address of this machine",
};

const listenFault = ({ code = "", message }: NodeJS.ErrnoException, address: string): string =>
  `METRICS ${address} ${faults[code] ?? `can't be listened on: ${message}`}`;
