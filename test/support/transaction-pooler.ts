import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { PooledSession, type Statements } from "./pooled-session";
import { bodyOf, CANCEL, ENCRYPTIONS, messageOf, messagesIn, typeOf } from "./wire-messages";

/**
 * A pooler before a database, like PgBouncer in transaction mode: its clients share few sessions, each for one
 * transaction at a time. It refuses everything whose effect such a pooler would lose.
 */
export interface TransactionPooler {
  /** The connection string of the database through the pooler. */
  readonly url: string;
  /** The reasons of all refusals so far. */
  readonly refused: string[];
  /** All Parse messages of clients so far; the name is empty if the statement has none. */
  readonly parsed: { readonly name: string; readonly text: string }[];
  close(): Promise<void>;
}

export interface PoolerOptions {
  /** The most sessions of the database. */
  readonly sessions?: number;
  /**
   * What happens to statements that are prepared under a name: they are refused; stored for each client, as PgBouncer
   * does since 1.21 with `max_prepared_statements`; or passed on, as PgBouncer does without it.
   */
  readonly names?: "refused" | "kept" | "mixed up";
  /** Makes it one that balances the load. */
  readonly balance?: Balance;
}

/** Where a pooler sends what is a SELECT of its own. */
interface Balance {
  /** The database that gets it. */
  readonly to: string;
  /** Which of its clients this concerns, by their numbers, asked each time; all by default. */
  readonly clients?: (number: number) => boolean;
  /** Whether it concerns them only until they have sent anything else but the bounds of transactions. */
  readonly untilWrite?: boolean;
  /** Whether it concerns all that they send, as if the database itself had changed behind the pooler. */
  readonly everything?: boolean;
}

/** The startup parameters that PgBouncer 1.18 accepts. It refuses all others, unless it is told to ignore them. */
const STARTUP_PARAMETERS = new Set([
  "user",
  "database",
  "client_encoding",
  "datestyle",
  "timezone",
  "standard_conforming_strings",
  "application_name",
]);

/** Statements whose effect outlives their transaction. */
const OF_THE_SESSION: readonly RegExp[] = [
  /^set\s+(?!local\b|transaction\b|constraints\b)/i,
  /^(reset|discard|listen|unlisten|prepare|execute|deallocate|load)\b/i,
  /^create\s+(local\s+|global\s+)?temp/i,
  /\bwith\s+hold\b/i,
  /\bpg_(try_)?advisory_(lock|unlock)/i,
  /\bset_config\s*\([^)]*,\s*false\s*\)/i,
];

/** Types of messages after which a client waits for ReadyForQuery: Sync and Query. */
const ENDS_OF_WORK = ["S", "Q"];

/**
 * Starts a pooler before a database. It refuses statements that change the session, startup parameters that PgBouncer
 * refuses and, unless told otherwise, statements that are prepared under a name: the client gets an error, and its
 * connection ends.
 */
export async function startTransactionPooler(
  databaseUrl: string,
  { sessions = 3, names = "refused", balance }: PoolerOptions = {},
): Promise<TransactionPooler> {
  const target = new URL(databaseUrl);
  const refused: string[] = [];
  const parsed: { name: string; text: string }[] = [];
  const sockets = new Set<Socket>();
  const busy = new Map<number, { session: PooledSession; pool: SessionPool }>();
  const pools = [databaseUrl, balance?.to ?? databaseUrl].map(
    (each) => new SessionPool(each, sessions),
  );
  const [main, ofReads] = pools as [SessionPool, SessionPool];
  let clients = 0;

  const faultOf = (type: string, body: Buffer): string | undefined => {
    const [first = "", second = ""] = body.toString("utf8").split("\0");
    if (type === "P") {
      parsed.push({ name: first, text: second });
      if (first !== "" && names === "refused") return `a statement named ${first}: ${second}`;
    }
    const text = { P: second, Q: first }[type];
    return text === undefined ? undefined : sessionFault(text);
  };

  const server = createServer((client) => {
    const id = (clients += 1);
    const statements: Statements = new Map();
    const isBalanced = (): boolean => balance?.clients?.(id) ?? balance !== undefined;
    let hasWritten = false;
    let work: Buffer[] = [];
    sockets.add(client);
    client.setNoDelay();
    client.on("error", () => undefined);
    client.on("close", () => {
      sockets.delete(client);
      busy.get(id)?.session.close(); // in the middle of its client's work
      busy.delete(id);
    });
    const refuse = (fault: string): void => {
      refused.push(fault);
      client.end(messageOf("E", Buffer.from(`SFATAL\0VFATAL\0C0A000\0M${fault}\0\0`)));
    };

    const sessionForWork = async (isRead: boolean): Promise<PooledSession | undefined> => {
      const isMoved = isBalanced() && (balance?.everything || (isRead && !hasWritten));
      const free = isMoved ? ofReads : main;
      const { session, pool } = busy.get(id) ?? { session: await free.take(), pool: free };
      if (client.destroyed) {
        pool.giveBack(session);
        return undefined;
      }
      busy.set(id, { session, pool });
      session.listener = {
        onMessage: (message) => client.write(message),
        onFree: () => {
          busy.delete(id);
          pool.giveBack(session);
        },
        onEnd: () => client.destroy(),
      };
      return session;
    };
    const carryOut = async (messages: readonly Buffer[]): Promise<void> => {
      const isRead = messages.some(isSelect);
      if (balance?.untilWrite && !isRead && !messages.some(isBound)) hasWritten = true;
      const session = await sessionForWork(isRead);
      if (names === "kept") session?.sendNamed(messages, statements);
      else session?.send(messages);
    };

    const begin = (startup: Buffer): void => {
      const code = startup.readInt32BE(4);
      if (ENCRYPTIONS.has(code)) {
        client.write("N");
      } else if (code === CANCEL) {
        const under = busy.get(startup.readInt32BE(8));
        if (under) cancel(target, under.session, client);
        else client.end();
      } else {
        const fault = startupFault(startup.subarray(8));
        if (fault === undefined) client.write(greeting(id));
        else refuse(fault);
      }
    };
    const receive = (message: Buffer): void => {
      const type = typeOf(message);
      const fault = faultOf(type, bodyOf(message));
      if (fault !== undefined) {
        refuse(fault);
      } else if (type === "X") {
        client.end();
      } else {
        work.push(message);
        if (!ENDS_OF_WORK.includes(type)) return;
        carryOut(work).catch(() => client.destroy()); // the database is away
        work = [];
      }
    };

    const messages = messagesIn({ hasStartup: true });
    let isStarted = false;
    client.on("data", (chunk) => {
      for (const message of messages(chunk)) {
        if (client.writableEnded) return;
        if (isStarted) receive(message);
        else {
          isStarted = !ENCRYPTIONS.has(message.readInt32BE(4));
          begin(message);
        }
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    refused,
    parsed,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

/** Whether a message of type Query or Parse has a text that begins with one of these words. */
const beginsWith =
  (words: string) =>
  (message: Buffer): boolean =>
    ["P", "Q"].includes(typeOf(message)) &&
    new RegExp(`^([^\\0]*\\0)?\\s*(${words})\\b`, "i").test(bodyOf(message).toString("latin1"));

const isSelect = beginsWith("SELECT");
const isBound = beginsWith("BEGIN|COMMIT|ROLLBACK");

/** Sessions of a database. The one that was used last is taken first, as in PgBouncer. */
class SessionPool {
  private readonly idle: PooledSession[] = [];
  private readonly all = new Set<Promise<PooledSession>>();
  private readonly waiting: ((session: PooledSession) => void)[] = [];

  constructor(
    private readonly databaseUrl: string,
    private readonly size: number,
  ) {}

  async take(): Promise<PooledSession> {
    const idle = this.idle.pop();
    if (idle) return idle;
    if (this.all.size < this.size) return this.open();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  giveBack(session: PooledSession): void {
    session.listener = undefined;
    const next = this.waiting.shift();
    if (next) next(session);
    else this.idle.push(session);
  }

  async close(): Promise<void> {
    for (const session of await Promise.all(this.all)) session.close();
  }

  private open(): Promise<PooledSession> {
    const opened = PooledSession.open(this.databaseUrl);
    this.all.add(opened);
    const isOver = async (session: PooledSession): Promise<void> => {
      await session.ended;
      this.all.delete(opened);
      const place = this.idle.indexOf(session);
      if (place >= 0) this.idle.splice(place, 1);
      // Another one takes its place.
      if (this.waiting.length > 0) this.giveBack(await this.open());
    };
    opened.then(isOver).catch(() => this.all.delete(opened));
    return opened;
  }
}

/** Passes on a client's request to cancel the statement of a session. */
function cancel(target: URL, { processID, secretKey }: PooledSession, client: Socket): void {
  const upstream = connect(Number(target.port), target.hostname);
  upstream.on("error", () => undefined);
  upstream.on("close", () => client.end());
  const request = Buffer.alloc(16);
  [16, CANCEL, processID, secretKey].forEach((value, index) =>
    request.writeInt32BE(value, index * 4),
  );
  upstream.end(request);
}

/** AuthenticationOk, the ParameterStatus that Sequelize looks at, BackendKeyData and ReadyForQuery. */
function greeting(id: number): Buffer {
  const key = Buffer.alloc(8);
  key.writeInt32BE(id, 0);
  return Buffer.concat([
    messageOf("R", Buffer.alloc(4)),
    messageOf("S", Buffer.from("standard_conforming_strings\0on\0")),
    messageOf("K", key),
    messageOf("Z", Buffer.from("I")),
  ]);
}

function startupFault(parameters: Buffer): string | undefined {
  const names = parameters
    .toString("utf8")
    .split("\0")
    .filter((_, index) => index % 2 === 0);
  const fault = names.find((name) => name !== "" && !STARTUP_PARAMETERS.has(name.toLowerCase()));
  return fault === undefined ? undefined : `the startup parameter ${fault}`;
}

/** The reason to refuse a text, from its statements one by one. A string with a semicolon is cut as well. */
function sessionFault(text: string): string | undefined {
  const statements = text.split(";").map((statement) => statement.trim());
  const fault = statements.find((statement) => OF_THE_SESSION.some((each) => each.test(statement)));
  return fault === undefined ? undefined : `a statement about the session: ${fault}`;
}
