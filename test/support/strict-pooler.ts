import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A way to a database that lets nothing pass which a pooler in transaction mode would not keep. */
export interface StrictPooler {
  /** The database, by this way. */
  readonly url: string;
  /** What was refused so far, each with its reason. */
  readonly refused: string[];
  /** Every Parse message so far; the name is empty where the statement has none. */
  readonly parsed: { readonly name: string; readonly text: string }[];
  close(): Promise<void>;
}

/** What PgBouncer 1.18 takes in a startup message; it refuses all else unless it is told to ignore it. */
const STARTUP_PARAMETERS = new Set([
  "user",
  "database",
  "client_encoding",
  "datestyle",
  "timezone",
  "standard_conforming_strings",
  "application_name",
]);

/** Codes in the place of a protocol version: requests for encryption, and to cancel a statement. */
const [SSL, GSS, CANCEL] = [80877103, 80877104, 80877102];

/** Statements whose effect outlives their transaction. */
const OF_THE_SESSION: readonly RegExp[] = [
  /^set\s+(?!local\b|transaction\b|constraints\b)/i,
  /^(reset|discard|listen|unlisten|prepare|execute|deallocate|load)\b/i,
  /^create\s+(local\s+|global\s+)?temp/i,
  /\bwith\s+hold\b/i,
  /\bpg_(try_)?advisory_(lock|unlock)/i,
  /\bset_config\s*\([^)]*,\s*false\s*\)/i,
];

/**
 * Opens the way to a database. What it refuses is a statement that is prepared under a name (unless
 * `namesPass`), one that changes the session, and a parameter of the startup that PgBouncer refuses: the
 * client gets an error and its connection ends.
 */
export async function startStrictPooler(
  databaseUrl: string,
  { namesPass = false } = {},
): Promise<StrictPooler> {
  const target = new URL(databaseUrl);
  const refused: string[] = [];
  const parsed: { name: string; text: string }[] = [];
  const sockets = new Set<Socket>();

  const faultOf = (type: string, body: Buffer): string | undefined => {
    const [first = "", second = ""] = body.toString("utf8").split("\0");
    if (type === "P") {
      parsed.push({ name: first, text: second });
      if (first !== "" && !namesPass) return `a statement named ${first}: ${second}`;
    }
    const text = { P: second, Q: first }[type];
    return text === undefined ? undefined : sessionFault(text);
  };

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    upstream.pipe(client);
    const refuse = (fault: string): void => {
      refused.push(fault);
      upstream.unpipe(client);
      client.end(errorResponse(fault));
    };

    let received = Buffer.alloc(0);
    let isStarted = false;
    client.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (;;) {
        // The first message alone has no type before its length, which counts itself.
        const offset = isStarted ? 1 : 0;
        if (received.length < offset + 4) return;
        const end = offset + received.readInt32BE(offset);
        if (received.length < end) return;
        const message = received.subarray(0, end);
        received = received.subarray(end);
        const body = message.subarray(offset + 4);
        const code = isStarted ? undefined : body.readInt32BE(0);
        if (code === SSL || code === GSS) {
          client.write("N");
          continue;
        }
        const fault = isStarted
          ? faultOf(String.fromCharCode(message.readUInt8(0)), body)
          : code === CANCEL
            ? undefined
            : startupFault(body.subarray(4));
        isStarted = true;
        if (fault !== undefined) {
          refuse(fault);
          return;
        }
        upstream.write(message);
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
    },
  };
}

function startupFault(parameters: Buffer): string | undefined {
  const names = parameters
    .toString("utf8")
    .split("\0")
    .filter((_, index) => index % 2 === 0);
  const fault = names.find((name) => name !== "" && !STARTUP_PARAMETERS.has(name.toLowerCase()));
  return fault === undefined ? undefined : `the startup parameter ${fault}`;
}

/** Each statement of a text by itself; where a string holds a semicolon, its parts. */
function sessionFault(text: string): string | undefined {
  const statements = text.split(";").map((statement) => statement.trim());
  const fault = statements.find((statement) => OF_THE_SESSION.some((each) => each.test(statement)));
  return fault === undefined ? undefined : `a statement about the session: ${fault}`;
}

/** ErrorResponse, after which the connection ends (PostgreSQL's documentation, section 54.7). */
function errorResponse(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C0A000\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
