import { Connection, escapeLiteral, type Client, type ConnectionConfig } from "pg";
import type { Sequelize } from "sequelize-typescript";

// The four places that reach into what the declarations of Sequelize and pg leave out. Tried with Sequelize 6.37.8 and
// pg 8.23.1. An update of either is tried against test/database and test/reliability.

export interface PooledConnection extends Client {
  _invalid?: boolean;
}

/** Sequelize gives others of its own. */
export interface ConnectionOptions {
  /** For a statement that waits for a connection even if the queue is full. */
  readonly urgent?: boolean;
}

/** 1: what Sequelize's connection manager has in addition to its declared methods. */
interface ConnectionManager {
  readonly config: object;
  readonly pool: { readonly waiting: number; readonly using: number; readonly maxSize: number };
  getConnection(options?: ConnectionOptions): Promise<PooledConnection>;
  releaseConnection(connection: PooledConnection): void;
  connect(config: object): Promise<Client>;
  /** The same, and calls the hooks of a new connection. */
  _connect(config: object): Promise<Client>;
  validate(connection: Client): boolean;
}

export const managerOf = ({ connectionManager }: Pick<Sequelize, "connectionManager">) =>
  connectionManager as unknown as ConnectionManager;

/**
 * 2: begins every transaction with a statement of ours, without a round trip of its own; Sequelize's option for the
 * isolation level takes one. The level is explicit because the database may have a stricter default, under which the
 * second of two concurrent changes of a row would fail. `context` is what the triggers of the audit log read, as JSON.
 */
export function beginWith(sequelize: Sequelize, context: () => string): void {
  const generator = sequelize.getQueryInterface().queryGenerator as {
    startTransactionQuery(transaction: { readonly parent?: unknown }): string;
  };
  const savepoint = generator.startTransactionQuery.bind(generator);
  generator.startTransactionQuery = (transaction) =>
    transaction.parent ? savepoint(transaction) : `${beginIn(context())};`;
}

/** Begins a transaction whose changes come from this write context. */
export const beginIn = (context: string): string =>
  `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL tea_shop.origin = ${escapeLiteral(context)}`;

/** 3: adds parameters to the startup message of a client. pg itself takes only a few. */
export function addStartupParameters(
  client: Client,
  parameters: Readonly<Record<string, string>>,
): void {
  const startup = client as unknown as { getStartupConf(): Record<string, string> };
  const own = startup.getStartupConf.bind(client);
  startup.getStartupConf = () => ({ ...own(), ...parameters });
}

/** 4: the protocol's request to cancel a statement: what a client knows of its session, and a connection to ask by. */
interface Session {
  readonly processID: number;
  readonly secretKey: number;
  readonly sslNegotiation?: string;
}

interface CancelConnection extends Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

export const sessionOf = (client: Client) => client as Client & Session;

export const cancelConnection = ({
  ssl,
  sslNegotiation,
}: Session & Pick<ConnectionConfig, "ssl">) =>
  new Connection({ ssl, sslNegotiation } as ConnectionConfig) as CancelConnection;
