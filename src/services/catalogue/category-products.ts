import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { CatalogueSettings } from "../../config/settings";
import { newestFirst } from "../../lists/list-query";
import { rowsAsJson, type JsonPart, type PartsReceiver } from "../../lists/rows-as-json";
import { notFound } from "../../vocabulary/errors";
import { Category, Product } from "../../models";
import { IdenticalReads } from "../../reads/identical-reads";
import { LongReads } from "../../reads/long-reads";
import { BoundedQueue } from "../../vocabulary/bounded-queue";
import { restColumns } from "../../vocabulary/columns";
import { isStorableId } from "../../vocabulary/ids";
import { productColumns } from "./columns";

/**
 * Products in one part of a list. A part is small enough to be written quickly, but its text is large
 * enough that the garbage collector never copies it. A list of more than one part is a long list.
 */
const PART_SIZE = 1000;

/**
 * Seconds that the database pauses after each part of a long list. Without pauses it would keep a processor
 * core busy that other statements need.
 */
const PAUSE = 0.005;

/** Only REST has this list; GraphQL has pages. */
const SHOWN = restColumns(productColumns);

/** How many long lists may be in memory or wait for it, and the longest wait in milliseconds. */
const LONG_LISTS = { concurrency: 2, waiting: 16, patience: 5_000 };

/** Reads the products of one category, of which there may be very many. */
export class CategoryProducts {
  private readonly categories: Repository<Category>;
  private readonly products: Repository<Product>;
  /** Reads under way that tell short lists from long ones; undefined if each request has its own. */
  private readonly beginnings: IdenticalReads<JsonPart[]> | undefined;
  /** Reads of long lists, by category. */
  private readonly longLists = new LongReads(
    new BoundedQueue(LONG_LISTS),
    (categoryId, signal: AbortSignal) => this.parts(categoryId, { signal }),
  );

  constructor(
    private readonly sequelize: Sequelize,
    { shared }: Pick<CatalogueSettings, "shared">,
  ) {
    this.categories = sequelize.getRepository(Category);
    this.products = sequelize.getRepository(Product);
    this.beginnings = shared ? new IdenticalReads() : undefined;
  }

  /**
   * Reads all products of a category in one statement, newest first, and passes them to `receive`. No
   * database connection is held while `receive` runs, but a long list keeps its place among the few long
   * lists until then. When the signal `client` is aborted, a long list is no longer read for this request.
   *
   * @throws DomainError NOT_FOUND if there is no such category, UNAVAILABLE if too many long lists are
   *   in use, or if the client is gone before a long list was read; any error of `receive`
   */
  async read(categoryId: number, receive: PartsReceiver, client: AbortSignal): Promise<void> {
    if (!isStorableId(categoryId)) throw notFound("Category");
    // Requests only wait for long lists, so a list that others wait for is long.
    const isLong = this.longLists.isAwaited(categoryId);
    const parts = isLong ? [] : await this.beginning(categoryId);
    if (isLong || parts.length > 1) {
      await this.longLists.run(categoryId, receive, client);
      return;
    }
    if (parts.length === 0 && !(await this.categories.findByPk(categoryId))) {
      throw notFound("Category");
    }
    await receive(parts);
  }

  /** Enough of the list to tell whether it is long; all of a short one. */
  private beginning(categoryId: number): Promise<JsonPart[]> {
    const read = () => this.parts(categoryId, { most: PART_SIZE + 1 });
    return this.beginnings ? this.beginnings.run(String(categoryId), read) : read();
  }

  private parts(
    categoryId: number,
    { most, signal }: { most?: number; signal?: AbortSignal },
  ): Promise<JsonPart[]> {
    return rowsAsJson(this.sequelize, {
      model: this.products,
      columns: SHOWN,
      where: sql`category_id = ${categoryId}`,
      orderBy: newestFirst,
      partSize: PART_SIZE,
      most,
      pause: most === undefined ? PAUSE : 0,
      signal,
    });
  }
}
