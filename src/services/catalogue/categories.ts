import { col, fn, type InferAttributes } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { ReadPool } from "../../reads/read-pool";
import { violatedConstraint } from "../../database/statements/failures";
import { rowsById } from "../../database/statements/rows-by-id";
import { inTransaction } from "../../database/statements/transaction";
import { conflict, notFound } from "../../vocabulary/errors";
import { newest } from "../../lists/keyset";
import { Category, Product } from "../../models";
import { isStorableId, isStorableKey, type Key } from "../../vocabulary/ids";
import type { WholeList, WholeLists } from "../../reads/whole-lists";
import { restColumns } from "../../vocabulary/columns";
import type {
  CategoryFilter,
  CreateCategoryInput,
  UpdateCategoryInput,
} from "./inputs/category-inputs";
import { categoryColumns, productColumns } from "./columns";
import {
  assertVersion,
  deleteExpected,
  updateExpected,
  type ChangeTerms,
} from "../record/versions";
import { Slugs } from "./slugs";

const PRODUCTS_KEY = "products_category_id_fkey";

/** Only REST has lists without pages. */
const REST_COLUMNS = restColumns(categoryColumns);
const REST_PRODUCT_COLUMNS = restColumns(productColumns);

const byName = sql`lower(name), id`;

export type CategoryRecord = InferAttributes<Category>;

/** The categories of the catalogue. A category's `isActive` never affects its products. */
export class Categories {
  private readonly categories = this.sequelize.getRepository(Category);
  private readonly products = this.sequelize.getRepository(Product);
  private readonly slugs: Slugs;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly reads: ReadPool,
    private readonly lists: WholeLists,
  ) {
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

  /** All categories, in the same order, as REST has them. */
  whole(): WholeList {
    return this.lists.of({
      model: this.categories,
      columns: REST_COLUMNS,
      where: sql`true`,
      orderBy: byName,
      name: "categories",
    });
  }

  /** All products of a category, newest first. Their text is NOT_FOUND if there is no such category. */
  productsOf(id: number): WholeList {
    if (!isStorableId(id)) throw notFound("Category");
    const list = this.lists.of({
      model: this.products,
      columns: REST_PRODUCT_COLUMNS,
      where: sql`category_id = ${id}`,
      orderBy: newest.terms,
    });
    const text = async (): Promise<string | undefined> => {
      const found = await list.text();
      if (found === "[]") await this.get(id);
      return found;
    };
    return { ...list, text };
  }

  /** The categories with these ids; unknown ids are left out. */
  byIds(ids: readonly number[]): Promise<CategoryRecord[]> {
    return rowsById(this.reads.current, this.categories, ids);
  }

  /** The category with this id or slug, or null. */
  async find(key: Key): Promise<CategoryRecord | null> {
    if (!isStorableKey(key)) return null;
    if ("id" in key) return (await this.byIds([key.id]))[0] ?? null;
    const categories = this.reads.current.getRepository(Category);
    return categories.findOne({ where: { slug: key.slug }, raw: true });
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
