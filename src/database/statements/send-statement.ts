import pg, { type Connection, type FieldDef, type Submittable } from "pg";
import { parseTimestamp, TIMESTAMPTZ } from "./timestamps";

/** A statement and the values of its parameters: `$1` is the first. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Turns a value as PostgreSQL writes it into one of JavaScript. */
type Parser = (text: string) => unknown;

/** Members of pg's client that its declarations leave out or say otherwise. */
export interface StatementClient {
  getTypeParser(type: number, format: "text"): Parser;
  query(statement: Submittable): unknown;
}

/** The columns of a statement's rows, and a row without values. */
interface Columns {
  readonly parsers: readonly { readonly name: string; readonly parse: Parser }[];
  readonly empty: Readonly<Record<string, null>>;
}

/** Members of pg's connection that its declarations leave out or say otherwise. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** The texts that were parsed, by name; pg's client writes them down. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(statement: { name: string; text: string }): void;
  bind(values: {
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  describe(portal: { type: "P" }): void;
  execute(): void;
  sync(): void;
  sendCopyFail(message: string): void;
}

/** pg's own preparation of parameters, which its declarations leave out. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } })
  .utils;

/** What connections have been told of the columns of named statements. */
const described = new WeakMap<Connection, Map<string, Columns>>();

/**
 * Sends a statement, prepared under the name if there is one, and resolves with its rows.
 *
 * PostgreSQL describes the rows of a named statement only when a connection uses it for the first time. The
 * description stays true, because PostgreSQL refuses a prepared statement whose columns have changed (0A000).
 * pg's own queries have each execution described anew.
 */
export const sendStatement = <Row>(
  client: StatementClient,
  statement: Statement,
  name?: string,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const settle = (error: Error | undefined, rows: Row[]): void => {
      if (error === undefined) resolve(rows);
      else reject(error);
    };
    client.query(new SentStatement<Row>(statement, name, client, settle));
  });

/** A statement on its way, in place of pg's own `Query`. */
class SentStatement<Row> implements Submittable {
  private readonly rows: Row[] = [];
  private columns: Columns | undefined;
  private known: Map<string, Columns> | undefined;
  private fault: Error | undefined;

  /**
   * @param name prepares it under that name; a client that has no named statements takes it away
   * @param callback is called once
   */
  constructor(
    private readonly statement: Statement,
    public name: string | undefined,
    private readonly client: StatementClient,
    readonly callback: (error: Error | undefined, rows: Row[]) => void,
  ) {}

  /** pg's client notes it with the name. */
  get text(): string {
    return this.statement.text;
  }

  /** Those of the parameters, as pg's own queries have them. */
  get values(): readonly unknown[] {
    return this.statement.values;
  }

  /** Is called when it is this statement's turn on the connection. What it returns, the client fails it with. */
  submit(connection: Connection): Error | null {
    const { name = "", text } = this;
    const wire = connection as unknown as Wire;
    const parsed = name === "" ? undefined : wire.parsedStatements[name];
    if (parsed !== undefined && parsed !== text) {
      return new Error(`Two statements are named "${name}"`);
    }
    this.known = described.get(connection) ?? new Map<string, Columns>();
    described.set(connection, this.known);
    this.columns = name === "" ? undefined : this.known.get(name);
    wire.stream.cork(); // the messages go out together
    try {
      if (parsed === undefined) wire.parse({ name, text });
      wire.bind({ statement: name, values: this.values, valueMapper: prepareValue });
      if (!this.columns) wire.describe({ type: "P" });
      wire.execute();
    } catch (error) {
      this.fault = error as Error; // a value that can't be sent
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    this.columns = {
      parsers: fields.map(({ name, dataTypeID }) => ({ name, parse: this.parserOf(dataTypeID) })),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
    if (this.name !== undefined) this.known?.set(this.name, this.columns);
  }

  handleDataRow({ fields: values }: { fields: readonly (string | null)[] }): void {
    if (!this.columns || this.fault !== undefined) return;
    const { parsers, empty } = this.columns;
    const row: Record<string, unknown> = { ...empty };
    try {
      parsers.forEach(({ name, parse }, index) => {
        const value = values[index];
        if (typeof value === "string") row[name] = parse(value);
      });
    } catch (error) {
      this.fault = error as Error;
    }
    this.rows.push(row as Row);
  }

  handleReadyForQuery(): void {
    this.callback(this.fault, this.rows);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }

  handleCopyInResponse(connection: Connection): void {
    const wire = connection as unknown as Wire;
    wire.sendCopyFail("The service copies nothing");
    wire.sync(); // PostgreSQL has ignored the one that was sent with the statement
  }

  // The client calls these too; nothing depends on them.
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleCopyData(): void {}

  private parserOf(type: number): Parser {
    const parser = this.client.getTypeParser(type, "text");
    return type === TIMESTAMPTZ ? (text) => parseTimestamp(text) ?? parser(text) : parser;
  }
}
