import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A proxy before a database. */
export interface MovingProxy {
  /** The connection string of the database through the proxy. */
  readonly url: string;
  /** Ends all connections, and leads later ones to another server. */
  moveTo(databaseUrl: string): void;
  close(): Promise<void>;
}

/** Starts a proxy before a database. */
export async function startMovingProxy(databaseUrl: string): Promise<MovingProxy> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    keep(client);
    keep(upstream);
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
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
