import type { Repository, Sequelize } from "sequelize-typescript";
import sql, { empty } from "sql-template-tag";
import { newestFirst } from "../../database/list-query";
import { runSql } from "../../database/sql";
import { notFound } from "../../errors";
import { Category } from "../../models";
import { BoundedQueue } from "../limits/bounded-queue";
import { isStorableId } from "../input/ids";

/**
 * Products of one part: few enough to be written in a moment, and as one text so many that the garbage
 * collector leaves it where it is. A list of more than one part is a long one.
 */
const PART = 1000;

/**
 * Seconds that the database rests after each part of a long list: writing all of them at once, it would
 * keep a core from everybody else.
 */
const REST = 0.005;

/** Long lists that are in memory at one time, those that wait for it, and how long, in milliseconds. */
const LONG_LISTS = { concurrency: 2, waiting: 16, patience: 5_000 };

/** Part of a JSON array: elements with commas between them, and how many bytes that is in UTF-8. */
interface ListPart {
  readonly text: string;
  readonly bytes: number;
}

/** Takes a list in parts; between them stand commas, and around all of them brackets. */
export type PartsTaker = (parts: readonly ListPart[]) => Promise<void>;

/** Those who are handed the same list. */
interface Batch {
  readonly takers: PartsTaker[];
  /** What came of each of them. */
  readonly over: Promise<PromiseSettledResult<void>[]>;
}

/** The products of one category, however many. */
export class CategoryProducts {
  private readonly categories: Repository<Category>;
  private readonly longLists = new BoundedQueue(LONG_LISTS);
  /** The long lists that are still to be read, by category. */
  private readonly batches = new Map<number, Batch>();

  constructor(private readonly sequelize: Sequelize) {
    this.categories = sequelize.getRepository(Category);
  }

  /**
   * Reads all products of a category in one statement, newest first, and hands them over: as objects of
   * JSON with the fields of a product, times in ISO 8601. No connection is held while they are taken,
   * and a long list counts as one of a few until then.
   *
   * @throws DomainError NOT_FOUND where there is no such category, UNAVAILABLE where too many long
   *   lists are under way; whatever `take` throws
   */
  async handTo(take: PartsTaker, categoryId: number): Promise<void> {
    if (!isStorableId(categoryId)) throw notFound("Category");
    // A list that others wait for is a long one.
    const isLong = this.batches.has(categoryId);
    const parts = isLong ? [] : await this.parts(categoryId, PART + 1);
    if (isLong || parts.length > 1) {
      await this.handLongTo(take, categoryId);
      return;
    }
    if (parts.length === 0 && !(await this.categories.findByPk(categoryId))) {
      throw notFound("Category");
    }
    await take(parts);
  }

  /** All who wait for the same list share it, as it is read after each of them has come. */
  private async handLongTo(take: PartsTaker, categoryId: number): Promise<void> {
    let batch = this.batches.get(categoryId);
    if (!batch) {
      const takers: PartsTaker[] = [];
      const forget = (): unknown => this.batches.delete(categoryId);
      const over = this.longLists.run(async () => {
        forget();
        const parts = await this.parts(categoryId);
        return Promise.allSettled(takers.map((each) => each(parts)));
      });
      batch = { takers, over };
      this.batches.set(categoryId, batch);
      over.catch(forget); // nobody read it
    }
    const place = batch.takers.push(take) - 1;
    const outcome = (await batch.over)[place];
    if (outcome?.status === "rejected") throw outcome.reason;
  }

  /**
   * Written as JSON by the database: making as many objects and texts here would hold the event loop for
   * a second.
   */
  private parts(categoryId: number, most?: number): Promise<ListPart[]> {
    const rest = most === undefined ? REST : 0;
    return runSql<ListPart>(
      this.sequelize,
      sql`SELECT text, octet_length(convert_to(text, 'UTF8')) AS bytes,
                 pg_sleep(${rest}::float8)::text AS rest
          FROM (
            SELECT part_number, string_agg(row_to_json(shown)::text, ',' ORDER BY place) AS text
            FROM (
              SELECT *, (place - 1) / ${PART}::integer AS part_number
              FROM (
                SELECT *, row_number() OVER (ORDER BY ${newestFirst}) AS place
                FROM products WHERE category_id = ${categoryId}
                ORDER BY ${newestFirst} ${most === undefined ? empty : sql`LIMIT ${most}`}
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
    );
  }
}

const ISO_8601 = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
