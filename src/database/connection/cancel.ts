import { Connection as Wire, type ConnectionConfig } from "pg";

/** What pg's client knows of the session that it talks to. */
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

/** Milliseconds that the server may take. */
const TIMEOUT = 1_000;

/**
 * Asks the server to end what a session is doing; its statement then fails with SQLSTATE 57014. The request is
 * encrypted as the session is. Resolves with whether the server has confirmed that it has passed the request on. If
 * it hasn't, the request may still arrive and end a later statement, so the session must not be used again.
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
      // The server answers nothing, and ends the connection when it has passed the request on.
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
