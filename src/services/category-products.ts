import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { newestFirst, selectRows } from "../database/read-list";
import { notFound } from "../errors";
import { Category, Product } from "../models";
import { BoundedQueue } from "./bounded-queue";
import { isStorableId } from "./ids";
import type { ProductRecord } from "./product-service";

/** Most products that are read as records: more of them would hold the event loop too long. */
const FEW = 500;

/** Products of one part of a long list. */
const PART = 100;

/** Long lists that are in memory at one time, those that wait for it, and how long, in milliseconds. */
const LONG_LISTS = { concurrency: 2, waiting: 16, patience: 5_000 };

/** What takes all products of a category, newest first. */
export interface ProductListTaker {
  /** Takes a short list. */
  few(products: ProductRecord[]): void;
  /**
   * Takes a long list, as parts of a JSON array without its brackets: objects with the fields of a
   * product, times in ISO 8601. The list counts as one of a few until the promise settles.
   */
  many(parts: string[]): Promise<void>;
}

/** The products of one category, however many. */
export class CategoryProducts {
  private readonly products: Repository<Product>;
  private readonly categories: Repository<Category>;
  private readonly longLists = new BoundedQueue(LONG_LISTS);

  constructor(private readonly sequelize: Sequelize) {
    this.products = sequelize.getRepository(Product);
    this.categories = sequelize.getRepository(Category);
  }

  /**
   * Reads all products of a category in one statement and hands them over; no connection is held
   * while they are taken.
   *
   * @throws DomainError NOT_FOUND where there is no such category, UNAVAILABLE where too many long
   *   lists are under way; whatever the taker throws
   */
  async handTo(taker: ProductListTaker, categoryId: number): Promise<void> {
    if (!isStorableId(categoryId)) throw notFound("Category");
    const products = await this.products.findAll({
      where: { categoryId },
      raw: true,
      order: [
        ["createdAt", "DESC"],
        ["id", "DESC"],
      ],
      limit: FEW + 1,
    });
    if (products.length > FEW) {
      await this.longLists.run(async () => taker.many(await this.parts(categoryId)));
      return;
    }
    if (products.length === 0 && !(await this.categories.findByPk(categoryId))) {
      throw notFound("Category");
    }
    taker.few(products);
  }

  /** Written as JSON by the database: making as many objects here would hold the event loop for a second. */
  private async parts(categoryId: number): Promise<string[]> {
    const rows = await selectRows<{ part: string }>(
      this.sequelize,
      sql`SELECT string_agg(row_to_json(shown)::text, ',' ORDER BY place) AS part
          FROM (SELECT *, place / ${PART}::integer AS part_number
                FROM (SELECT *, row_number() OVER (ORDER BY ${newestFirst}) AS place
                      FROM products WHERE category_id = ${categoryId}) AS placed) AS product
          CROSS JOIN LATERAL (
            SELECT id, name, slug, description, price::text AS price, is_active AS "isActive",
                   category_id AS "categoryId",
                   to_char(created_at AT TIME ZONE 'UTC', ${ISO_8601}) AS "createdAt",
                   to_char(updated_at AT TIME ZONE 'UTC', ${ISO_8601}) AS "updatedAt"
          ) AS shown
          GROUP BY part_number ORDER BY part_number`,
    );
    return rows.map(({ part }) => part);
  }
}

const ISO_8601 = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
