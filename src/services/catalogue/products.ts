import type { InferAttributes } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { PerDatabase, type ReadPool } from "../../reads/read-pool";
import { violatedConstraint } from "../../database/statements/failures";
import { rowsById } from "../../database/statements/rows-by-id";
import { inTransaction } from "../../database/statements/transaction";
import type { ListQuery } from "../../lists/list-query";
import { referencedRow, type ReferencedRow } from "../../lists/referenced-row";
import type { CatalogueVersion } from "../../reads/catalogue-version";
import { conflict, invalidInput, notFound } from "../../vocabulary/errors";
import { Category, Product } from "../../models";
import { readKeysetPage, readPage, type KeysetPage, type KeysetRequest } from "../../lists/keyset";
import { Batcher } from "../../reads/batcher";
import { isStorableId, isStorableKey, type Key } from "../../vocabulary/ids";
import type { CreateProductInput, UpdateProductInput } from "./inputs/product-inputs";
import { costOfTotal, type ListOptions, type Lists } from "../../lists/lists";
import type { CategoryRecord } from "./categories";
import { pageOf, partOf, type Page, type PageRequest } from "../../lists/pagination";
import { productOrder } from "./product-order";
import {
  findingCost,
  nameOfList,
  productConditions,
  totalOf,
  type ProductQuery,
  type ProductSearch,
} from "./product-query";
import {
  assertVersion,
  deleteExpected,
  updateExpected,
  type ChangeTerms,
} from "../record/versions";
import { Slugs } from "./slugs";

const CATEGORY_KEY = "products_category_id_fkey";
const ORDERS_KEY = "order_items_product_id_fkey";

/** A product as services return it; its price is decimal text with 2 places. */
export type ProductRecord = InferAttributes<Product>;

/** A product of a list. */
export interface ListedProduct extends ProductRecord {
  /** Its category, if the list was read with categories. */
  readonly category?: CategoryRecord;
}

/** The products of the catalogue, active or not. */
export class Products {
  private readonly products = this.sequelize.getRepository(Product);
  private readonly categories = this.sequelize.getRepository(Category);
  /** The category of a product, read with the product. */
  private readonly category: ReferencedRow;
  private readonly slugs: Slugs;
  private readonly byId: PerDatabase<Batcher<number, ReadonlyMap<number, ProductRecord>>>;

  constructor(
    private readonly sequelize: Sequelize,
    private readonly reads: ReadPool,
    private readonly lists: Lists,
    private readonly versions: PerDatabase<CatalogueVersion | undefined>,
  ) {
    this.category = referencedRow(this.categories, { key: "category_id", name: "category" });
    this.slugs = new Slugs(this.products, "product");
    const read = async (database: Sequelize, ids: ReadonlySet<number>) => {
      const rows = await rowsById(database, this.products, [...ids]);
      return new Map(rows.map((row) => [row.id, row]));
    };
    this.byId = new PerDatabase(reads, (each) => new Batcher((ids) => read(each, ids)));
  }

  /** A page of products, newest first unless sorted otherwise. */
  async page(request: PageRequest, query: ProductQuery = {}): Promise<Page<ListedProduct>> {
    const [order, list] = [productOrder(query), this.listOf(query)];
    return readPage<ListedProduct>(this.lists, order, request, list, costOf(query, list));
  }

  /** The same page of products for each of these categories, by the category's id; every id has a page. */
  async pagesByCategory(
    categoryIds: readonly number[],
    request: PageRequest,
    query: ProductQuery = {},
  ): Promise<Map<number, Page<ListedProduct>>> {
    const list = { ...this.listOf(query), ...partOf(request), total: undefined };
    const parts = await this.lists.readEach(
      list,
      { column: sql`category_id`, keys: categoryIds },
      costOf({ ...query, inCategory: true }, list),
    );
    return new Map([...parts].map(([id, part]) => [id, pageOf(request, part)]));
  }

  /**
   * Part of all products by keyset, newest first unless sorted otherwise.
   *
   * @throws DomainError INVALID_INPUT if the cursor is one of another order
   */
  async keysetPage(
    request: KeysetRequest,
    query: ProductQuery = {},
  ): Promise<KeysetPage<ListedProduct>> {
    const [order, list] = [productOrder(query), this.listOf(query)];
    return readKeysetPage<ListedProduct>(this.lists, order, request, list, costOf(query, list));
  }

  /** The products with these ids; unknown ids are left out. */
  byIds(ids: readonly number[]): Promise<ProductRecord[]> {
    return rowsById(this.reads.current, this.products, ids);
  }

  /** The product with this id or slug, or null. */
  async find(key: Key): Promise<ProductRecord | null> {
    if (!isStorableKey(key)) return null;
    if ("id" in key) return (await this.byId.current.run(key.id)).get(key.id) ?? null;
    const products = this.reads.current.getRepository(Product);
    return products.findOne({ where: { slug: key.slug }, raw: true });
  }

  /** @throws DomainError NOT_FOUND */
  async get(id: number): Promise<ProductRecord> {
    const product = await this.find({ id });
    if (!product) throw notFound("Product");
    return product;
  }

  /**
   * Creates a product, inactive unless said otherwise, under a slug derived from its name where none is given.
   *
   * @throws DomainError INVALID_INPUT if there is no such category, CONFLICT if the given slug is taken
   */
  async create({ slug, price, ...values }: CreateProductInput): Promise<ProductRecord> {
    const { name, categoryId } = values;
    try {
      // Checked first, so that no slug is looked up for an unknown category.
      if (!isStorableId(categoryId) || !(await this.categories.findByPk(categoryId))) {
        throw unknownCategory(categoryId);
      }
      return await this.slugs.insert({ name, slug }, (free) =>
        inTransaction(this.sequelize, async (transaction) => {
          const row = { ...values, price: price.toString(), slug: free };
          return (await this.products.create(row, { transaction })).get({ plain: true });
        }),
      );
    } catch (error) {
      if (violatedConstraint(error) !== CATEGORY_KEY) throw error;
      throw unknownCategory(categoryId);
    }
  }

  /**
   * Switches a product on or off. Orders that begin afterwards see it.
   *
   * @throws DomainError NOT_FOUND, CONFLICT if it has another version than the expected one
   */
  async setStatus(id: number, isActive: boolean, terms: ChangeTerms = {}): Promise<ProductRecord> {
    return this.update(id, { isActive }, terms);
  }

  /**
   * Changes only the given fields; an empty change is allowed and leaves `updatedAt` alone.
   *
   * @throws DomainError NOT_FOUND, INVALID_INPUT if there is no such category, CONFLICT if the
   *   slug is taken or the product has another version than the expected one
   */
  async update(
    id: number,
    { price, categoryId, ...changes }: UpdateProductInput,
    terms: ChangeTerms = {},
  ): Promise<ProductRecord> {
    const given = {
      ...changes,
      ...(price && { price: price.toString() }),
      ...(categoryId !== undefined && { categoryId }),
    };
    if (!isStorableId(id)) throw notFound("Product");
    if (Object.keys(given).length === 0) {
      const product = await this.get(id);
      assertVersion("Product", product, terms);
      return product;
    }
    try {
      return await this.slugs.refusingTaken(changes.slug, () =>
        updateExpected(this.one(id, terms), given),
      );
    } catch (error) {
      if (violatedConstraint(error) !== CATEGORY_KEY || categoryId === undefined) throw error;
      throw unknownCategory(categoryId);
    }
  }

  /**
   * Deletes a product that was never ordered and returns it as it was.
   *
   * @throws DomainError NOT_FOUND, CONFLICT where orders refer to it or it has another version than the expected one
   */
  async delete(id: number, terms: ChangeTerms = {}): Promise<ProductRecord> {
    if (!isStorableId(id)) throw notFound("Product");
    try {
      return await deleteExpected(this.one(id, terms));
    } catch (error) {
      if (violatedConstraint(error) !== ORDERS_KEY) throw error;
      throw conflict(`Product ${id} is part of orders`, { code: "IN_USE" });
    }
  }

  private one(id: number, terms: ChangeTerms) {
    return { sequelize: this.sequelize, model: this.products, noun: "Product", id, terms };
  }

  private listOf(query: ProductQuery) {
    const { filter, sort, counted = true, withCategories, signal } = query;
    const { where, search } = productConditions({ filter, sort });
    const order = productOrder({ filter, sort });
    const reference = withCategories ? this.category : undefined;
    const omittedColumn = query.withDescriptions === false ? "description" : undefined;
    const name = nameOfList(filter, order.name);
    const total = totalOf(this.versions.current, filter);
    const read = { omittedColumn, reference, counted, signal, name, total };
    const rows = { database: this.reads.current, model: this.products, where, search };
    return { ...rows, orderBy: order.terms, ...read };
  }
}

/** The cost of finding the rows of a list, and of counting them if their total is not cached. */
const costOf = (query: ProductSearch & ListOptions, { total }: Pick<ListQuery<never>, "total">) =>
  findingCost(query) + (total ? 0 : costOfTotal(query.counted));

const unknownCategory = (id: number) =>
  invalidInput([
    {
      message: `categoryId ${id} does not reference an existing category`,
      reason: { code: "CATEGORY_UNKNOWN", path: "categoryId", categoryId: id },
    },
  ]);
