import { once } from "node:events";
import { connect } from "node:net";

/** Starts a client that asks for a path and then reads nothing. Returns its socket. */
export async function stalledClient(url, path) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: torture.example\r\n\r\n`);
  socket.pause();
  return socket;
}
