import type { Repository, Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { newestFirst } from "../../lists/list-query";
import type { PartsReceiver } from "../../lists/rows-as-json";
import { Category, Product } from "../../models";
import type { JsonLists } from "../../reads/json-lists";
import { restColumns } from "../../vocabulary/columns";
import { notFound } from "../../vocabulary/errors";
import { isStorableId } from "../../vocabulary/ids";
import { productColumns } from "./columns";

/** Only REST has this list; GraphQL has pages. */
const SHOWN = restColumns(productColumns);

/** Reads the products of one category, of which there may be very many. */
export class CategoryProducts {
  private readonly categories: Repository<Category>;
  private readonly products: Repository<Product>;

  constructor(
    sequelize: Sequelize,
    private readonly lists: JsonLists,
  ) {
    this.categories = sequelize.getRepository(Category);
    this.products = sequelize.getRepository(Product);
  }

  /**
   * Passes all products of a category to `receive`, newest first; see {@link JsonLists.read}.
   *
   * @throws DomainError NOT_FOUND if there is no such category; those of {@link JsonLists.read}
   */
  async read(categoryId: number, receive: PartsReceiver, client: AbortSignal): Promise<void> {
    if (!isStorableId(categoryId)) throw notFound("Category");
    const list = {
      model: this.products,
      columns: SHOWN,
      where: sql`category_id = ${categoryId}`,
      orderBy: newestFirst,
    };
    const receiveIfKnown: PartsReceiver = async (parts) => {
      if (parts.length === 0 && !(await this.categories.findByPk(categoryId))) {
        throw notFound("Category");
      }
      await receive(parts);
    };
    await this.lists.read(`products of ${categoryId}`, list, receiveIfKnown, client);
  }
}
