import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerSettings } from "../config/settings";
import { errorBody } from "../http/answer/error-body";
import { pathOf } from "../http/request/well-formed";
import { lastAnswer, statusOf } from "./client-connection";
import { hostInUrl, listen, tryToListen, type ListenFault } from "./server";

/** Milliseconds for a client to send a request. */
const REQUEST_TIMEOUT = 5_000;

interface MetricsText {
  readonly mediaType: string;
  readonly text: string;
}

export interface MetricsServer {
  /** Base URL, with the host of the settings. */
  readonly address: string;
  /** Closes the server and all its connections. */
  close(): void;
}

/**
 * Serves the metrics at `GET /metrics`, and nothing else. Requests that arrive while the metrics are collected get the
 * same answer, so that many cost no more than one. On a loopback address, only requests with a `Host` such as
 * `localhost` are answered: a web page in a browser on this machine may use another name that resolves to it.
 *
 * @throws OperatorError if it can't listen on the address
 */
export async function startMetricsServer(
  settings: ServerSettings,
  metricsText: () => Promise<MetricsText>,
): Promise<MetricsServer> {
  const server = createServer(
    { headersTimeout: REQUEST_TIMEOUT, requestTimeout: REQUEST_TIMEOUT },
    serving(shared(metricsText), (name) => !isLoopback || isNameOfLoopback(name)),
  );
  server.on("clientError", (error, socket) => {
    if (socket.writable) socket.end(lastAnswer(errorBody(statusOf(error))));
  });
  await listen(server, settings, listenFault);
  const { address, port } = server.address() as AddressInfo;
  const isLoopback = isLoopbackAddress(address);
  return {
    address: `http://${hostInUrl(settings.host ?? "localhost")}:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Listens on the address for a moment, so that a start that can't succeed fails at once.
 *
 * @throws OperatorError if it can't listen there
 */
export const assertMetricsListenable = (settings: ServerSettings): Promise<void> =>
  tryToListen(settings, listenFault);

/** Shares results: a call that comes before an earlier one has settled gets the result of the earlier one. */
function shared<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | undefined;
  return () => (pending ??= call().finally(() => (pending = undefined)));
}

/** An address of this machine alone, such as `127.0.0.1` or `::1`. */
const isLoopbackAddress = (address: string): boolean =>
  address === "::1" || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);

/** Whether a `Host` names this machine alone, with any port. */
function isNameOfLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    isLoopbackAddress(name.replace(/^\[(.*)\]$/, "$1"))
  );
}

const serving =
  (metricsText: () => Promise<MetricsText>, isServed: (host: string) => boolean): RequestListener =>
  (request, response) => {
    const send = (status: number, { mediaType, text }: MetricsText): void => {
      response.writeHead(status, {
        "Content-Type": mediaType,
        "Content-Length": Buffer.byteLength(text),
        "Cache-Control": "no-store",
      });
      response.end(text);
    };
    const refuse = (status: 403 | 404 | 500, message?: string): void =>
      send(status, {
        mediaType: "application/json; charset=utf-8",
        text: JSON.stringify(errorBody(status, message)),
      });
    if (!isServed(request.headers.host ?? "")) {
      refuse(403, "Metrics on a loopback address are for requests to localhost");
      return;
    }
    const path = pathOf(String(request.url));
    if (request.method !== "GET" || path !== "/metrics") {
      refuse(404, `Cannot ${request.method} ${path}`);
      return;
    }
    metricsText().then(
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
