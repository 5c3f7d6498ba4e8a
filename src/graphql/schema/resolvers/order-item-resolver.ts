import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { Loaders } from "../loaders";
import { OrderItemType } from "../types/order";
import { ProductType } from "../types/product";

@Resolver(() => OrderItemType)
export class OrderItemResolver {
  @FieldResolver(() => ProductType, { description: "The product as it is now." })
  product(@Root() item: OrderItemType, @Ctx("loaders") loaders: Loaders) {
    return loaders.product.load(item.productId);
  }
}
