import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerSettings } from "../config/settings";
import { errorBody } from "../http/answer/error-body";
import { pathOf } from "../http/request/path-of";
import { lastAnswer, statusOf } from "./client-error";
import { hostInUrl, listen, tryToListen, type ListenFault } from "./listen";

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
  await listen(server, settings, listenFault);
  return {
    address: `http://${hostInUrl(settings.host ?? "localhost")}:${(server.address() as AddressInfo).port}`,
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
export const assertMetricsListenable = (settings: ServerSettings): Promise<void> =>
  tryToListen(settings, listenFault);

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
    const path = pathOf(String(request.url));
    if (request.method !== "GET" || path !== "/metrics") {
      refuse(404, `Cannot ${request.method} ${path}`);
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

const listenFault: ListenFault = ({ code, message }, { host, port }) => {
  const address = host === undefined ? port : `${hostInUrl(host)}:${port}`;
  return `METRICS ${address} ${faults[String(code)] ?? `can't be listened on: ${message}`}`;
};
