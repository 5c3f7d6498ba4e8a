import { col, fn, type InferAttributes } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { CatalogueSettings } from "../../config/settings";
import type { PerDatabase, ReadPool } from "../../database/connection/read-pool";
import { violatedConstraint } from "../../database/statements/failures";
import { inTransaction } from "../../database/statements/transaction";
import { conflict, notFound } from "../../vocabulary/errors";
import { Category } from "../../models";
import { isStorableId, type Key } from "../../vocabulary/ids";
import type { JsonLists, ListReceiver } from "../../reads/json-lists";
import { restColumns } from "../../vocabulary/columns";
import { KeyedRows } from "./keyed-rows";
import type { CategoryFilter } from "./inputs/category-filter";
import type { CreateCategoryInput, UpdateCategoryInput } from "./inputs/category-input";
import { categoryColumns } from "./columns";
import {
  assertVersion,
  deleteExpected,
  updateExpected,
  type ChangeTerms,
} from "../record/versions";
import { Slugs } from "./slugs";

const PRODUCTS_KEY = "products_category_id_fkey";

const SHOWN = restColumns(categoryColumns);

const byName = sql`lower(name), id`;

export type CategoryRecord = InferAttributes<Category>;

/** The categories of the catalogue. A category's `isActive` never affects its products. */
export class Categories {
  private readonly categories: Repository<Category>;
  private readonly rows: KeyedRows<CategoryRecord>;
  private readonly slugs: Slugs;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly reads: ReadPool,
    settings: Pick<CatalogueSettings, "shared">,
    private readonly lists: PerDatabase<JsonLists>,
  ) {
    this.categories = sequelize.getRepository(Category);
    this.rows = new KeyedRows(reads, Category, settings);
    this.slugs = new Slugs(this.categories, "category");
  }

  /** Categories sorted by name, ignoring letter case, and then by id; all of them if there is no filter. */
  list(filter?: CategoryFilter | null): Promise<CategoryRecord[]> {
    const { isActive } = filter ?? {};
    return this.reads.current.getRepository(Category).findAll({
      where: isActive === undefined ? {} : { isActive },
      order: [fn("lower", col("name")), "id"],
      raw: true,
    });
  }

  /** Passes all categories to `receive`, in the same order; see {@link JsonLists.read}. */
  readAll(receive: ListReceiver, client: AbortSignal): Promise<void> {
    const name = "categories";
    const list = {
      model: this.categories,
      columns: SHOWN,
      where: sql`true`,
      orderBy: byName,
      name,
    };
    return this.lists.current.read(name, list, receive, client);
  }

  /** The categories with these ids; unknown ids are left out. */
  byIds(ids: readonly number[]): Promise<CategoryRecord[]> {
    return this.rows.byIds(ids);
  }

  /** The category with this id or slug, or null. */
  find(key: Key): Promise<CategoryRecord | null> {
    return this.rows.find(key);
  }

  /** @throws DomainError NOT_FOUND */
  async get(id: number): Promise<CategoryRecord> {
    const category = await this.find({ id });
    if (!category) throw notFound("Category");
    return category;
  }

  /**
   * Creates a category. If no slug is given, one is derived from the name.
   *
   * @throws DomainError CONFLICT if the given slug is taken
   */
  async create({ slug, ...values }: CreateCategoryInput): Promise<CategoryRecord> {
    return this.slugs.insert({ name: values.name, slug }, (free) =>
      inTransaction(this.sequelize, async (transaction) => {
        const row = { ...values, slug: free };
        return (await this.categories.create(row, { transaction })).get({ plain: true });
      }),
    );
  }

  /**
   * Changes only the given fields; an empty change is allowed.
   *
   * @throws DomainError NOT_FOUND, CONFLICT if the slug is taken or the category has another version than the
   *   expected one
   */
  async update(
    id: number,
    changes: UpdateCategoryInput,
    terms: ChangeTerms = {},
  ): Promise<CategoryRecord> {
    if (!isStorableId(id)) throw notFound("Category");
    if (Object.keys(changes).length === 0) {
      const category = await this.get(id);
      assertVersion("Category", category, terms);
      return category;
    }
    return this.slugs.refusingTaken(changes.slug, () =>
      updateExpected(this.one(id, terms), changes),
    );
  }

  /**
   * Deletes a category and returns it.
   *
   * @throws DomainError NOT_FOUND, CONFLICT if the category has products or another version than the expected one
   */
  async delete(id: number, terms: ChangeTerms = {}): Promise<CategoryRecord> {
    if (!isStorableId(id)) throw notFound("Category");
    try {
      return await deleteExpected(this.one(id, terms));
    } catch (error) {
      if (violatedConstraint(error) !== PRODUCTS_KEY) throw error;
      throw conflict(`Category ${id} has products`, { code: "IN_USE" });
    }
  }

  private one(id: number, terms: ChangeTerms) {
    return { sequelize: this.sequelize, model: this.categories, noun: "Category", id, terms };
  }
}
