import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { ServerSettings } from "../config/settings";
import { OperatorError } from "../vocabulary/errors";

/** Tells the operator why a server can't listen. */
export type ListenFault = (error: NodeJS.ErrnoException, settings: ServerSettings) => string;

/** @throws OperatorError if it can't listen on the address */
export async function listen(
  server: Server,
  settings: ServerSettings,
  faultOf: ListenFault,
): Promise<void> {
  const { port, host } = settings;
  try {
    await once(server.listen({ port, host }), "listening");
  } catch (error) {
    const fault = faultOf(error as NodeJS.ErrnoException, settings);
    throw new OperatorError(fault, { cause: error });
  }
}

/**
 * Listens on the address for a moment, so that a start that can't succeed fails at once.
 *
 * @throws OperatorError if it can't listen there
 */
export async function tryToListen(settings: ServerSettings, faultOf: ListenFault): Promise<void> {
  const server = createServer();
  await listen(server, settings, faultOf);
  await new Promise((resolve) => server.close(resolve));
}

/** A host as URLs have it. */
export const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);
