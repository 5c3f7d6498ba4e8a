import type { Socket } from "node:net";
import { SessionClient } from "../../src/database/connection/clients";
import { bodyOf, messagesIn, named, nameIn, PARSE_COMPLETE, typeOf } from "./wire-messages";

/** Members of pg's client that its declarations leave out. */
interface Undeclared {
  readonly connection: { readonly stream: Socket };
  readonly processID: number;
  readonly secretKey: number;
}

/** Receives the messages and events of a session. */
interface Listener {
  readonly onMessage: (message: Buffer) => void;
  /** Called when the session is no longer in a transaction. */
  readonly onFree: () => void;
  /** Called when the server has ended the session. */
  readonly onEnd: () => void;
}

/** A client's statements as Parse messages, by their names. */
export type Statements = Map<string, Buffer>;

/** A session of the database. A pooler gives it to one client after another. */
export class PooledSession {
  listener: Listener | undefined;
  /** Resolves when the session is over. */
  readonly ended: Promise<void>;
  /** The names under which statements are prepared here, by their text. */
  private readonly prepared = new Map<string, string>();
  /** Texts of statements whose Parse is not answered yet. */
  private parsing: string[] = [];
  private unasked = 0;

  private constructor(
    private readonly stream: Socket,
    readonly processID: number,
    readonly secretKey: number,
  ) {
    const messages = messagesIn();
    this.ended = new Promise((resolve) => {
      stream.once("close", () => {
        resolve();
        this.listener?.onEnd();
      });
    });
    stream.removeAllListeners("data");
    stream.on("data", (chunk: Buffer) => messages(chunk).forEach((each) => this.receive(each)));
  }

  static async open(databaseUrl: string): Promise<PooledSession> {
    const client = new SessionClient({
      connectionString: databaseUrl,
      application_name: "tea-shop",
    });
    client.on("error", () => undefined);
    await client.connect();
    const { connection, processID, secretKey } = client as unknown as Undeclared;
    return new PooledSession(connection.stream, processID, secretKey);
  }

  /** Sends messages unchanged. */
  send(messages: readonly Buffer[]): void {
    for (const message of messages) this.stream.write(message);
  }

  /** Sends messages, with the client's names of statements translated, as PgBouncer does since 1.21. */
  sendNamed(messages: readonly Buffer[], statements: Statements): void {
    for (const message of messages) {
      const type = typeOf(message);
      const name = nameIn(message);
      if (!name) this.stream.write(message);
      else if (type === "P") {
        statements.set(name, message);
        if (this.prepare(message) === "known") this.listener?.onMessage(PARSE_COMPLETE);
      } else {
        const parse = statements.get(name);
        if (!parse) throw new Error(`A client used the name ${name} and never prepared it`);
        if (this.prepare(parse) === "new") this.unasked += 1;
        this.stream.write(named(message, this.prepared.get(textIn(parse))!));
      }
    }
  }

  close(): void {
    this.stream.destroy();
  }

  private prepare(parse: Buffer): "known" | "new" {
    const text = textIn(parse);
    if (this.prepared.has(text)) return "known";
    const name = `pooled ${this.prepared.size}`;
    this.prepared.set(text, name);
    this.parsing.push(text);
    this.stream.write(named(parse, name));
    return "new";
  }

  private receive(message: Buffer): void {
    const type = typeOf(message);
    if (type === "1") {
      this.parsing.shift();
      if (this.unasked > 0) {
        this.unasked -= 1;
        return;
      }
    }
    if (type === "E") {
      for (const text of this.parsing.splice(0)) this.prepared.delete(text);
      this.unasked = 0;
    }
    const { listener } = this;
    listener?.onMessage(message);
    if (type === "Z" && bodyOf(message).toString() === "I") listener?.onFree();
  }
}

/** The text of a Parse message, including the types of its parameters. */
const textIn = (parse: Buffer): string => {
  const body = bodyOf(parse).toString("latin1");
  return body.slice(body.indexOf("\0") + 1);
};
