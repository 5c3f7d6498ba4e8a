import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ProductRecord } from "../../services/catalogue/products";
import type { Context } from "../context";
import { OrderItemType } from "../types/order";
import { ProductType } from "../types/product";

/** The items of orders. */
@Resolver(() => OrderItemType)
export class OrderItemResolver {
  @FieldResolver(() => ProductType, { description: "The product as it is now." })
  product(@Root() item: OrderItemType, @Ctx() { loaders }: Context): Promise<ProductRecord> {
    return loaders.product.load(item.productId);
  }
}
