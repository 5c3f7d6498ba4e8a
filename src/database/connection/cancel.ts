import type { Client } from "pg";
import { cancelConnection, sessionOf } from "./internals";

const TIMEOUT = 1_000;

/**
 * Asks the server to cancel a session's statement, which then fails with SQLSTATE 57014. The request is encrypted
 * like the session. Resolves with whether the server confirmed that it passed the request on. Without the
 * confirmation, the request may still arrive and cancel a later statement, so the session must not be used again.
 */
export async function cancelStatement(client: Client): Promise<boolean> {
  const session = sessionOf(client);
  const { host, port, ssl, sslNegotiation, processID, secretKey } = session;
  const wire = cancelConnection(session);
  return new Promise((resolve) => {
    const settle = (isConfirmed: boolean): void => {
      clearTimeout(timer);
      wire.stream.destroy();
      resolve(isConfirmed);
    };
    const timer = setTimeout(() => settle(false), TIMEOUT);
    const send = (): void => {
      // The server sends no answer. It closes the connection once it has passed the request on.
      wire.stream.once("end", () => settle(true));
      wire.cancel(processID, secretKey);
    };
    wire.on("error", () => settle(false));
    wire.once("end", () => settle(false));
    if (!ssl) wire.once("connect", send);
    else {
      if (sslNegotiation !== "direct") wire.once("connect", () => wire.requestSsl());
      wire.once("sslconnect", send);
    }
    if (host.startsWith("/")) wire.connect(`${host}/.s.PGSQL.${port}`);
    else wire.connect(port, host);
  });
}
