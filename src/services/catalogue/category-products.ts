import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { CatalogueSettings } from "../../config/settings";
import { newestFirst } from "../../lists/list-query";
import { runSql } from "../../database/statements/sql";
import { notFound } from "../../vocabulary/errors";
import { Category } from "../../models";
import { IdenticalReads } from "../../reads/identical-reads";
import { LongReads } from "../../reads/long-reads";
import { BoundedQueue } from "../../vocabulary/bounded-queue";
import { isStorableId } from "../../vocabulary/ids";

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

/** How many long lists may be in memory or wait for it, and the longest wait in milliseconds. */
const LONG_LISTS = { concurrency: 2, waiting: 16, patience: 5_000 };

/** Part of a JSON array without its brackets, and the length of the text in UTF-8. */
interface ListPart {
  readonly text: string;
  readonly bytes: number;
}

/** Receives a list in parts, and adds the commas between the parts and the brackets around them. */
export type PartsReceiver = (parts: readonly ListPart[]) => Promise<void>;

/** Reads the products of one category, of which there may be very many. */
export class CategoryProducts {
  private readonly categories: Repository<Category>;
  /** Reads under way that tell short lists from long ones; undefined if each request has its own. */
  private readonly beginnings: IdenticalReads<ListPart[]> | undefined;
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
    this.beginnings = shared ? new IdenticalReads() : undefined;
  }

  /**
   * Reads all products of a category in one statement, newest first, and passes them to `receive` as JSON
   * objects with the fields of a product and times in ISO 8601. No database connection is held while
   * `receive` runs, but a long list keeps its place among the few long lists until then. When the signal
   * `client` is aborted, a long list is no longer read for this request.
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
  private beginning(categoryId: number): Promise<ListPart[]> {
    const read = () => this.parts(categoryId, { most: PART_SIZE + 1 });
    return this.beginnings ? this.beginnings.run(String(categoryId), read) : read();
  }

  /**
   * The first `most` products of the list, or all of them: LIMIT NULL is no limit. The database writes the JSON,
   * because building that many objects here would block the event loop.
   */
  private parts(
    categoryId: number,
    { most, signal }: { most?: number; signal?: AbortSignal },
  ): Promise<ListPart[]> {
    const pause = most === undefined ? PAUSE : 0;
    return runSql<ListPart>(
      this.sequelize,
      sql`SELECT text, octet_length(convert_to(text, 'UTF8')) AS bytes,
                 pg_sleep(${pause}::float8)::text AS pause
          FROM (
            SELECT part_number, string_agg(row_to_json(shown)::text, ',' ORDER BY place) AS text
            FROM (
              SELECT *, (place - 1) / ${PART_SIZE}::integer AS part_number
              FROM (
                SELECT *, row_number() OVER (ORDER BY ${newestFirst}) AS place
                FROM products WHERE category_id = ${categoryId}
                ORDER BY ${newestFirst} LIMIT ${most}
              ) AS placed
            ) AS product
            CROSS JOIN LATERAL (
              SELECT id, name, slug, description, price::text AS price, is_active AS "isActive",
                     category_id AS "categoryId",
                     to_char(created_at AT TIME ZONE 'UTC', ${ISO_8601}) AS "createdAt",
                     to_char(updated_at AT TIME ZONE 'UTC', ${ISO_8601}) AS "updatedAt"
            ) AS shown
            GROUP BY part_number
          ) AS parts
          ORDER BY part_number`,
      { signal },
    );
  }
}

const ISO_8601 = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
