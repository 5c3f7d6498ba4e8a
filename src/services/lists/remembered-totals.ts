import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ListPart, ListQuery } from "../../database/list-query";

/** Lists whose totals are remembered; an entry takes some 200 bytes. */
const MOST_LISTS = 10_000;

/** Tells versions of what lists show: two equal ones mean that nothing has changed in between. */
export interface Versions {
  /** The version at a moment after this call. */
  current(): Promise<string>;
  /** Whether it is still this version; false if that can't be told. */
  isStill(version: string): Promise<boolean>;
}

/** What a list's total depends on besides the version: neither its order nor the page. */
type Counted = Pick<ListQuery<{ id: number }>, "model" | "where" | "search">;

/**
 * Remembers the totals of lists for as long as nothing changes, so that only the first page of a list that is
 * read is also counted.
 */
export class RememberedTotals {
  private readonly totals = new LRUCache<string, number>({ max: MOST_LISTS });

  constructor(private readonly versions: Versions) {}

  /**
   * Reads part of a list with its total. `read` reads it, and counts it if it is asked to. The rows and the
   * total are of one snapshot: a remembered total is only used if nothing has changed while the rows were read.
   */
  async read<Row>(
    list: Counted,
    read: (counted: boolean) => Promise<ListPart<Row>>,
  ): Promise<ListPart<Row>> {
    const version = await this.versions.current();
    const key = keyOf(list, version);
    const total = this.totals.get(key);
    const part = await read(total === undefined);
    const isSame = await this.versions.isStill(version);
    if (total === undefined) {
      if (isSame) this.totals.set(key, part.total);
      return part;
    }
    return isSame ? { ...part, total } : read(true);
  }
}

function keyOf({ model, where, search = [] }: Counted, version: string): string {
  const conditions = [...where, ...search].map(({ text, values }) => [text, values]);
  return hash("sha256", JSON.stringify([version, model.tableName, conditions]), "base64url");
}
