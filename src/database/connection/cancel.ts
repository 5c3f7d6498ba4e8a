import { Connection as Wire, type ConnectionConfig } from "pg";

/** What a client of pg knows about its session. */
export interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  /** `false`, or how the session is encrypted. */
  readonly ssl: ConnectionConfig["ssl"];
  readonly sslNegotiation?: string;
}

/** Members of pg's connection that its declarations leave out. */
interface Undeclared {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/** Milliseconds for the server to confirm a request. */
const TIMEOUT = 1_000;

/**
 * Asks the server to cancel a session's statement, which then fails with SQLSTATE 57014. The request is encrypted
 * like the session. Resolves with whether the server confirmed that it passed the request on. Without the
 * confirmation, the request may still arrive and cancel a later statement, so the session must not be used again.
 */
export async function cancelStatement(session: Session): Promise<boolean> {
  const { host, port, ssl = false, sslNegotiation } = session;
  const wire = new Wire({ ssl, sslNegotiation } as ConnectionConfig) as Wire & Undeclared;
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
      wire.cancel(session.processID, session.secretKey);
    };
    wire.on("error", () => settle(false));
    wire.once("end", () => settle(false));
    if (ssl === false) wire.once("connect", send);
    else {
      if (sslNegotiation !== "direct") wire.once("connect", () => wire.requestSsl());
      wire.once("sslconnect", send);
    }
    if (host.startsWith("/")) wire.connect(`${host}/.s.PGSQL.${port}`);
    else wire.connect(port, host);
  });
}
