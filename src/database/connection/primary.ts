import type { Client } from "pg";
import { ConnectionError } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import { outsideWork } from "../../vocabulary/current-work";
import { messageOf } from "../../vocabulary/errors";
import { placeOf } from "../../vocabulary/text/connection-string";
import { managerOf } from "./internals";

/** Milliseconds that other hosts have to answer once one has that takes writes: they may know of a newer one. */
const PATIENCE = 250;

/** Milliseconds for which it counts that all hosts were asked. A pool in use asks them anew before. */
const MEMORY = 2_000;

const TIMEOUT = 1_000;

/** A server that takes writes. Each promotion of a standby begins a new timeline. */
interface Primary {
  readonly cluster: string;
  readonly timeline: number;
}

const STANDING = `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
  CASE WHEN NOT pg_is_in_recovery()
    THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer
  END AS timeline`;

/** Of each cluster, the newest timeline that this process has seen. A primary of an older one was replaced. */
const newest = new Map<string, number>();

/** Hosts that took longer than {@link PATIENCE}. Nobody waits for them again until they have been faster. */
const slow = new Set<string>();

/** What the connections of this file lead to. */
const primaries = new WeakMap<object, Primary>();

const isOld = ({ cluster, timeline }: Primary): boolean => timeline < (newest.get(cluster) ?? 0);

/** Whether a connection leads to a former primary: another server was promoted. */
function isReplaced(connection: object): boolean {
  const primary = primaries.get(connection);
  return primary !== undefined && isOld(primary);
}

type Answer<C> = { readonly client: C; readonly primary: Primary } | { readonly failure: string };

/**
 * Connects to all of these hosts, and keeps the connection to the one that takes writes: it is no standby, and its
 * timeline is the newest of all that answer in time, and of all that this process has ever seen.
 *
 * @throws ConnectionError that says of each host why it is not used
 */
export async function openPrimary<C extends Client>(
  urls: readonly string[],
  connect: (url: string) => Promise<C>,
): Promise<C> {
  const answers = await answersOf(urls, connect);
  const found = answers.filter((answer) => "client" in answer);
  const areCopies = new Set(found.map(({ primary }) => primary.cluster)).size < 2;
  const chosen = areCopies ? found.find(({ primary }) => !isOld(primary)) : undefined;
  for (const each of found) if (each !== chosen) close(each.client);
  if (chosen) return chosen.client;
  const reasons = answers.map((answer) => ("failure" in answer ? answer.failure : REPLACED));
  throw new ConnectionError(
    new Error(areCopies ? `No host takes writes: ${reasons.join("; ")}` : STRANGERS),
  );
}

const REPLACED = "a former primary: another server was promoted";
const STRANGERS = "The hosts are no copies of one database";

/** The answers of the hosts in their order, without those that are late. */
async function answersOf<C extends Client>(
  urls: readonly string[],
  connect: (url: string) => Promise<C>,
): Promise<Answer<C>[]> {
  const answers = new Map<string, Answer<C>>();
  const late = new Set(urls);
  let isOver = false;
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const begun = performance.now();
    for (const url of urls) {
      void answerOf(url, connect).then((answer) => {
        late.delete(url);
        if (performance.now() - begun < PATIENCE) slow.delete(url);
        if (isOver && "client" in answer) close(answer.client);
        answers.set(url, answer);
        if ("client" in answer) timer ??= setTimeout(resolve, PATIENCE);
        if (late.size === 0 || (timer && [...late].every((each) => slow.has(each)))) {
          clearTimeout(timer);
          resolve();
        }
      });
    }
  });
  isOver = true;
  for (const url of late) slow.add(url);
  return urls.flatMap((url) => answers.get(url) ?? []);
}

async function answerOf<C extends Client>(
  url: string,
  connect: (url: string) => Promise<C>,
): Promise<Answer<C>> {
  const { hosts } = placeOf(url);
  let client: C | undefined;
  try {
    client = await connect(url);
    const question = { text: STANDING, query_timeout: TIMEOUT };
    const { rows } = await client.query<Primary | { cluster: string; timeline: null }>(question);
    const [standing] = rows;
    if (typeof standing?.timeline === "number") {
      const { cluster, timeline } = standing;
      const primary = { cluster, timeline };
      newest.set(cluster, Math.max(timeline, newest.get(cluster) ?? 0));
      primaries.set(client, primary);
      return { client, primary };
    }
    close(client);
    return { failure: `${hosts} is a standby` };
  } catch (error) {
    if (client) close(client);
    return { failure: `${hosts}: ${messageOf(error)}` };
  }
}

/** Closes a connection, however long that takes. */
const close = (client: Client): void => void client.end().catch(() => undefined);

/**
 * Lets a pool, and connections outside it, lead to the one of these hosts that takes writes. Once a newly promoted host
 * has answered, no connection to the former primary is handed out.
 */
export function usePrimary(sequelize: Sequelize, urls: readonly string[]): void {
  const manager = managerOf(sequelize);
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
