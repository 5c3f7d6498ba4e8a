import type { GraphQLSchema } from "graphql";
import { failureOf, sent } from "../actions/sent";
import { isUnauthenticated, type Answer, type Request } from "../service";
import { idOf, keyOf } from "./answer-table";
import { changed, type Changes } from "./changes";
import { csvHeader, csvLine, type Separator } from "./csv-text";
import { pagingOf, totalPagesOf } from "./paging";
import type { SourcedTable } from "./sourced-table";
import { tablesIn } from "./tables-in";

export interface CsvPagesOptions {
  readonly schema: GraphQLSchema;
  /** The request whose answer has the table. */
  readonly request: Request;
  readonly table: SourcedTable;
  readonly send: (request: Request) => Promise<Answer>;
  readonly separator: Separator;
  readonly bounds?: Bounds;
}

export interface Bounds {
  /** The most cells that are read. */
  readonly cells: number;
  /** The most characters of a file. */
  readonly characters: number;
}

/** As much as a tab of a browser can hold, and a spreadsheet can open. */
const BOUNDS: Bounds = { cells: 1_000_000, characters: 100_000_000 };

/** A page that could not be read. */
export class UnreadPage extends Error {
  constructor(
    messages: readonly string[],
    /** Whether the same request would be refused again. */
    readonly isForGood: boolean,
    /** Whether it was refused because nobody is signed in. */
    readonly needsSignIn = false,
  ) {
    super(messages.join(" "));
  }
}

/** The lines of a table's file, read page by page. After a failure, the same page can be read again. */
export class CsvPages {
  readonly #options: CsvPagesOptions;
  readonly #lines: string[] = [];
  readonly #keys = new Set<string>();
  #next: Changes | undefined;
  #cellsRead = 0;
  #characters = 0;
  #pagesRead = 0;
  #isFull = false;
  #table: SourcedTable;

  constructor(options: CsvPagesOptions) {
    this.#options = options;
    this.#table = options.table;
    this.#lines.push(csvHeader(options.table.columns, options.separator));
    this.#next = pagingOf(options.table)?.first;
    if (!this.#next) this.#take(options.table);
  }

  /** The file's text so far, in pieces. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The rows that the file has so far. */
  get rows(): number {
    return this.#lines.length - 1;
  }

  get pagesRead(): number {
    return this.#pagesRead;
  }

  /** Undefined if the answer does not say. */
  get totalPages(): number | undefined {
    return totalPagesOf(this.#table);
  }

  /** The rows of the whole list; undefined if the answer does not say. */
  get total(): number | undefined {
    return this.#table.position.total;
  }

  get isDone(): boolean {
    return this.#next === undefined || this.#isFull;
  }

  /** Whether there are more rows than a file may hold. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /**
   * Reads the next page, if there is one.
   *
   * @throws UnreadPage if it can't be read; call again to retry, unless the failure is for good
   */
  async readPage(): Promise<void> {
    if (this.isDone || !this.#next) return;
    const { schema, request, send } = this.#options;
    const variables = changed(request.variables ?? {}, this.#next);
    const asked = { ...request, variables };
    const { answer } = await sent(send, asked);
    const table = this.#tableOf(schema, asked, answer);
    this.#table = table;
    this.#pagesRead += 1;
    this.#next = pagingOf(table)?.next;
    this.#take(table);
  }

  #tableOf(schema: GraphQLSchema, request: Request, answer: Answer): SourcedTable {
    const path = this.#options.table.path;
    const isOfTable = (key: unknown) => key === undefined || key === path[0];
    const errors = answer.errors?.filter((fault) => isOfTable(fault.path?.[0])) ?? [];
    if (errors.length > 0) {
      const { messages, isForGood } = failureOf(errors);
      throw new UnreadPage(messages, isForGood, isUnauthenticated({ errors }));
    }
    const tables = tablesIn(schema, request, answer.data ?? {});
    const found = tables.find((each) => each.path.join() === path.join());
    if (!found) throw new UnreadPage(["The answer has no such list any more."], true);
    return found;
  }

  /** Takes the rows that the file does not have yet: the list may shift between two pages. */
  #take(table: SourcedTable): void {
    const { separator, table: shown, bounds = BOUNDS } = this.#options;
    const { columns } = shown;
    const { cells, characters } = bounds;
    for (const [index, row] of table.rows.entries()) {
      if (this.#cellsRead + columns.length > cells || this.#characters > characters) {
        this.#isFull = true;
        return;
      }
      this.#cellsRead += columns.length;
      const key = idOf(table, row) === undefined ? undefined : keyOf(table, row, index);
      if (key !== undefined && this.#keys.has(key)) continue;
      if (key !== undefined) this.#keys.add(key);
      const line = csvLine(columns, row, separator);
      this.#characters += line.length;
      this.#lines.push(line);
    }
  }
}
