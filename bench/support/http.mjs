import { Agent, request } from "node:http";

/** A client's own connection, kept alive. */
export const connection = () => new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * Sends a request, whose body is `json` or the JSON text `body`. Resolves with the answer or, if there is none,
 * with the status 0 and the error's code. `ms` is the time to the end of the answer.
 *
 * @param {string} base
 * @param {{
 *   method?: string,
 *   path: string,
 *   headers?: object,
 *   json?: unknown,
 *   body?: string,
 *   agent?: Agent | false,
 *   limit?: number,
 * }} request
 * @returns {Promise<any>}
 */
export function call(
  base,
  {
    method = "GET",
    path,
    headers = {},
    json,
    body = json && JSON.stringify(json),
    agent,
    limit = 30_000,
  },
) {
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (outcome) => resolve({ ...outcome, ms: performance.now() - started });
    const fail = (error) => end({ status: 0, error: error.code ?? error.message, headers: {} });
    const options = {
      method,
      headers: {
        ...(body !== undefined && {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        }),
        ...headers,
      },
      agent,
      signal: AbortSignal.timeout(limit),
    };
    const outgoing = request(base + path, options, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk) => (text += chunk));
      incoming.on("error", fail);
      incoming.on("end", () =>
        end({ status: incoming.statusCode, headers: incoming.headers, text }),
      );
    });
    outgoing.on("error", fail);
    outgoing.end(body);
  });
}

/** Milliseconds that an answer asks to wait for. */
export const retryAfter = ({ headers }) => 1000 * Number(headers["retry-after"] ?? 0);
