import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { selfSigned } from "./self-signed";

/** A proxy before a database. It records the requests to cancel a statement. */
export interface DatabaseProxy {
  /** The connection string of the database through the proxy. */
  readonly url: string;
  /** The requests to cancel so far, and whether each came over TLS. */
  readonly cancels: { readonly isSecure: boolean }[];
  /** Passes on the held requests, and resolves when the server has read them. */
  deliver(): Promise<void>;
  /** Ends all connections, and leads later ones to another server. */
  moveTo(databaseUrl: string): void;
  close(): Promise<void>;
}

/** Codes in the place of a protocol version. */
const [SSL, CANCEL] = [80877103, 80877102];

/**
 * Starts a proxy before a database.
 *
 * @param holdsCancels whether requests to cancel are held until `deliver` is called, as a network may delay them
 * @param tls whether the proxy speaks TLS with clients that ask for it
 */
export async function startDatabaseProxy(
  databaseUrl: string,
  { holdsCancels = false, tls = false } = {},
): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const cancels: DatabaseProxy["cancels"] = [];
  const held: Buffer[] = [];
  const connectUpstream = (): Socket => connect(Number(target.port), target.hostname);
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };

  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  const begin = (client: Socket, first: Buffer): void => {
    if (first.readInt32BE(4) === CANCEL) {
      cancels.push({ isSecure: client instanceof TLSSocket });
      if (holdsCancels) {
        held.push(first);
        return;
      }
    }
    const upstream = connectUpstream();
    keep(upstream);
    upstream.write(first);
    client.pipe(upstream).pipe(client);
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    client.once("data", (first) => {
      if (!tls || first.readInt32BE(4) !== SSL) {
        begin(client, first);
        return;
      }
      client.write("S");
      const secure = new TLSSocket(client, { isServer: true, ...selfSigned });
      keep(secure);
      secure.once("data", (message: Buffer) => begin(secure, message));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  if (tls) url.searchParams.set("sslmode", "no-verify");
  return {
    url: url.href,
    cancels,
    deliver: async () => {
      for (const request of held.splice(0)) {
        const upstream = connectUpstream().resume();
        keep(upstream);
        upstream.end(request);
        await once(upstream, "close");
      }
    },
    moveTo: (other) => {
      target = new URL(other);
      endAll();
    },
    close: async () => {
      endAll();
      server.close();
      await once(server, "close");
    },
  };
}
