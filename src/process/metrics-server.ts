import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerSettings } from "../config/settings";
import { pathOf } from "../http/request/well-formed";
import { hostInUrl, listen } from "./server";

const REQUEST_TIMEOUT = 5_000;

export interface MetricsServer {
  /** Base URL, with the host of the settings. */
  readonly address: string;
  close(): void;
}

/**
 * Serves metrics in the text format of Prometheus at `GET /metrics`, and nothing else.
 *
 * @throws OperatorError if it can't listen on the address
 */
export async function startMetricsServer(
  settings: ServerSettings,
  metricsText: () => Promise<string>,
): Promise<MetricsServer> {
  const timeouts = { headersTimeout: REQUEST_TIMEOUT, requestTimeout: REQUEST_TIMEOUT };
  const server = createServer(timeouts, (request, response) => {
    if (request.method !== "GET" || pathOf(String(request.url)) !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    const headers = {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
      "Cache-Control": "no-store",
    };
    metricsText().then(
      (text) => response.writeHead(200, headers).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await listen(server, settings, "METRICS");
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://${hostInUrl(settings.host ?? "localhost")}:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
