import type { InferAttributes } from "sequelize";
import type { Repository, Sequelize } from "sequelize-typescript";
import sql, { empty } from "sql-template-tag";
import type { CatalogueSettings } from "../../config/settings";
import { violatedConstraint } from "../../database/statements/constraints";
import { deleteRow, selectRows } from "../../database/statements/model-table";
import { toPlainObject } from "../../database/statements/to-plain-object";
import { conflict, notFound } from "../../vocabulary/errors";
import { Category } from "../../models";
import { isStorableId, type Key } from "../../vocabulary/ids";
import type { JsonLists, ListReceiver } from "../../reads/json-lists";
import { restColumns } from "../../vocabulary/columns";
import { KeyedRows } from "./keyed-rows";
import type { CategoryFilter } from "./inputs/category-filter";
import type { CreateCategoryInput } from "./inputs/create-category-input";
import type { UpdateCategoryInput } from "./inputs/update-category-input";
import { categoryColumns } from "./columns";
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
    settings: Pick<CatalogueSettings, "shared">,
    private readonly lists: JsonLists,
  ) {
    this.categories = sequelize.getRepository(Category);
    this.rows = new KeyedRows(sequelize, this.categories, settings);
    this.slugs = new Slugs(sequelize, "categories", "category");
  }

  /** Categories sorted by name, ignoring letter case, and then by id; all of them if there is no filter. */
  list(filter?: CategoryFilter | null): Promise<CategoryRecord[]> {
    const { isActive } = filter ?? {};
    const where = isActive === undefined ? empty : sql`WHERE is_active = ${isActive}`;
    return selectRows(this.sequelize, this.categories, {
      rest: sql`${where} ORDER BY ${byName}`,
      name: isActive === undefined ? "categories as rows" : "categories by activity",
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
    return this.lists.read(name, list, receive, client);
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
    const category = await this.slugs.insert({ name: values.name, slug }, (free) =>
      this.categories.create({ ...values, slug: free }),
    );
    return toPlainObject(category);
  }

  /**
   * Changes only the given fields; an empty change is allowed.
   *
   * @throws DomainError NOT_FOUND, CONFLICT if the slug is taken
   */
  async update(id: number, changes: UpdateCategoryInput): Promise<CategoryRecord> {
    if (!isStorableId(id) || Object.keys(changes).length === 0) return this.get(id);
    const [, [category]] = await this.slugs.refusingTaken(changes.slug, () =>
      this.categories.update(changes, { where: { id }, returning: true }),
    );
    if (!category) throw notFound("Category");
    return toPlainObject(category);
  }

  /**
   * Deletes a category and returns it.
   *
   * @throws DomainError NOT_FOUND, CONFLICT if the category has products
   */
  async delete(id: number): Promise<CategoryRecord> {
    if (!isStorableId(id)) throw notFound("Category");
    try {
      const category = await deleteRow(this.sequelize, this.categories, id);
      if (!category) throw notFound("Category");
      return category;
    } catch (error) {
      if (violatedConstraint(error) !== PRODUCTS_KEY) throw error;
      throw conflict(`Category ${id} has products`, { code: "IN_USE" });
    }
  }
}
