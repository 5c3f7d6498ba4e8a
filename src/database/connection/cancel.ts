import { connect } from "node:net";

/** What pg's client knows of the session that it talks to. */
export interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/** Milliseconds that the server may take; it is only told, so a failure changes nothing. */
const TIMEOUT = 1_000;

/** The code of a CancelRequest (PostgreSQL manual, "Message Formats"). */
const CANCEL_REQUEST = 80_877_102;

/**
 * Asks the server to end what a session is doing; its statement then fails with SQLSTATE 57014. Resolves
 * when the server has passed the request on: a later statement of the session is not affected.
 */
export async function cancelStatement({
  host,
  port,
  processID,
  secretKey,
}: Session): Promise<void> {
  const request = Buffer.alloc(16);
  [request.length, CANCEL_REQUEST, processID, secretKey].forEach((value, index) =>
    request.writeInt32BE(value, index * 4),
  );
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  await new Promise<void>((resolve) => {
    const socket = connect(target, () => socket.end(request));
    socket.setTimeout(TIMEOUT, () => socket.destroy());
    socket.on("error", () => undefined).resume();
    socket.once("close", () => resolve());
  });
}
