import type { Client } from "pg";
import type { Sequelize } from "sequelize-typescript";
import { outsideWork } from "../../vocabulary/current-work";
import { close, isReplaced, openPrimary } from "./primary-host";

/** Milliseconds for which it counts that all hosts were asked. A pool in use asks them anew before. */
const MEMORY = 2_000;

/** Members of Sequelize's connection manager that its declarations leave out. */
interface ConnectionManager {
  connect(config: object): Promise<Client>;
  validate(connection: Client): boolean;
}

/**
 * Lets a pool, and connections beside it, lead to the one of these hosts that takes writes. No connection to a
 * primary in whose place another host was promoted is handed out, once that one has answered.
 */
export function usePrimary(sequelize: Sequelize, urls: readonly string[]): void {
  const manager = sequelize.connectionManager as unknown as ConnectionManager & { config: object };
  const connect = manager.connect.bind(manager);
  const validate = manager.validate.bind(manager);
  let asked = -Infinity;
  let asking: Promise<void> | undefined;
  const open = async (config: object): Promise<Client> => {
    const begun = performance.now();
    const client = await openPrimary(urls, (url) => connect({ ...config, ...hostAndPort(url) }));
    asked = begun;
    return client;
  };
  const ask = (): Promise<void> =>
    outsideWork(() => open(manager.config))
      .then(close, () => undefined)
      .finally(() => (asking = undefined));
  manager.connect = open;
  manager.validate = (connection) => {
    const age = performance.now() - asked;
    if (age > MEMORY / 2) asking ??= ask();
    return validate(connection) && age < MEMORY && !isReplaced(connection);
  };
}

function hostAndPort(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1");
  return { host, port: Number(port || 5432) };
}
