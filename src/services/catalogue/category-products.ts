import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { PerDatabase, ReadPool } from "../../database/connection/read-pool";
import { newestFirst } from "../../lists/list-query";
import { Category, Product } from "../../models";
import type { JsonLists, ListReceiver } from "../../reads/json-lists";
import { restColumns } from "../../vocabulary/columns";
import { notFound } from "../../vocabulary/errors";
import { isStorableId } from "../../vocabulary/ids";
import { productColumns } from "./columns";

/** Only REST has this list; GraphQL has pages. */
const SHOWN = restColumns(productColumns);

/** Reads the products of one category, of which there may be very many. */
export class CategoryProducts {
  private readonly products: Repository<Product>;

  constructor(
    sequelize: Sequelize,
    private readonly reads: ReadPool,
    private readonly lists: PerDatabase<JsonLists>,
  ) {
    this.products = sequelize.getRepository(Product);
  }

  /**
   * Passes all products of a category to `receive`, newest first; see {@link JsonLists.read}.
   *
   * @throws DomainError NOT_FOUND if there is no such category; those of {@link JsonLists.read}
   */
  async read(categoryId: number, receive: ListReceiver, client: AbortSignal): Promise<void> {
    if (!isStorableId(categoryId)) throw notFound("Category");
    const list = {
      model: this.products,
      columns: SHOWN,
      where: sql`category_id = ${categoryId}`,
      orderBy: newestFirst,
    };
    const receiveIfKnown: ListReceiver = async (found) => {
      const isEmpty = "text" in found && found.text === "[]";
      if (isEmpty && !(await this.isKnown(categoryId))) throw notFound("Category");
      await receive(found);
    };
    await this.lists.current.read(`products of ${categoryId}`, list, receiveIfKnown, client);
  }

  private async isKnown(categoryId: number): Promise<boolean> {
    const categories = this.reads.current.getRepository(Category);
    return (await categories.count({ where: { id: categoryId } })) > 0;
  }
}
