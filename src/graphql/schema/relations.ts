import type { GraphQLFieldResolver, GraphQLSchema } from "graphql";
import { isObjectType } from "graphql";
import type { ListedProduct } from "../../services/catalogue/products";
import type { Context } from "../context";
import type { Loaders } from "./loaders";
import type { OrderItemType, OrderType } from "./types/order";

type Resolve = GraphQLFieldResolver<unknown, Context>;

const relation =
  <Row>(find: (row: Row, loaders: Loaders) => unknown): Resolve =>
  (row, _args, { loaders }) =>
    find(row as Row, loaders);

/** How the fields that lead from one row to others find them, by type. */
const relations: Readonly<Record<string, Readonly<Record<string, Resolve>>>> = {
  Product: {
    category: relation(
      ({ category, categoryId }: ListedProduct, loaders) =>
        category ?? loaders.category.load(categoryId),
    ),
  },
  Order: {
    items: relation(({ id }: OrderType, loaders) => loaders.itemsOfOrder.load(id)),
  },
  OrderItem: {
    product: relation(({ productId }: OrderItemType, loaders) => loaders.product.load(productId)),
  },
};

/** Sets these resolvers. Those of TypeGraphQL cost more: each makes promises for every row of a list. */
export function resolveRelations(schema: GraphQLSchema): void {
  for (const [name, resolvers] of Object.entries(relations)) {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`${name} is no object type`);
    const fields = type.getFields();
    for (const [field, resolve] of Object.entries(resolvers)) {
      Object.assign(fields[field] as object, { resolve });
    }
  }
}
