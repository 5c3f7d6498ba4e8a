import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  FieldResolver,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  UseMiddleware,
} from "type-graphql";
import { ADMIN } from "../../services/administrators/authentication";
import { keysetRequest } from "../../services/lists/keyset";
import { OrderFilter, OrderStatus } from "../../services/orders/inputs/order-filter";
import { OrderTerms } from "../../services/orders/inputs/order-terms";
import { PlaceOrderInput } from "../../services/orders/inputs/place-order-input";
import type { OrderItemRecord, OrderRecord, Orders } from "../../services/orders/orders";
import { pageRequest, type Page } from "../../services/lists/pagination";
import type { Context } from "../context";
import { limitedBy } from "../rate-limit";
import { isSelected } from "../selection";
import { ConnectionArguments, PageArguments } from "../types/arguments";
import { OrderConnectionType, presentConnection } from "../types/connections";
import { OrderItemType, OrderType } from "../types/order";
import { OrderPageType } from "../types/pages";

/** Customers' orders. */
@Resolver(() => OrderType)
export class OrderResolver {
  constructor(private readonly service: Orders) {}

  @Authorized(ADMIN)
  @Query(() => OrderPageType, {
    description: "A page of orders, newest first. For administrators.",
  })
  orders(
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Arg("filter", () => OrderFilter, { nullable: true, description: "Which orders." })
    filter: OrderFilter | null,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<OrderRecord>> {
    return this.service.page(pageRequest(page, pageSize), {
      filter: filter ?? undefined,
      counted: isSelected(info, "meta"),
    });
  }

  @Authorized(ADMIN)
  @Query(() => OrderConnectionType, {
    description: "Orders by keyset, newest first. For administrators.",
  })
  async ordersConnection(
    @Args(() => ConnectionArguments) { first, after }: ConnectionArguments,
    @Arg("filter", () => OrderFilter, { nullable: true, description: "Which orders." })
    filter: OrderFilter | null,
    @Info() info: GraphQLResolveInfo,
  ) {
    return presentConnection(
      await this.service.keysetPage(keysetRequest(first, after), {
        filter: filter ?? undefined,
        counted: isSelected(info, "totalCount"),
      }),
    );
  }

  @Authorized(ADMIN)
  @Query(() => OrderType, {
    nullable: true,
    description: "The order with this id; null where there is none. For administrators.",
  })
  order(
    @Arg("id", () => Int, { description: "The order's id." }) id: number,
  ): Promise<OrderRecord | null> {
    return this.service.find(id);
  }

  @FieldResolver(() => [OrderItemType], {
    description: "Its items, in the order in which they were sent.",
  })
  items(@Root() order: OrderType, @Ctx() { loaders }: Context): Promise<OrderItemRecord[]> {
    return loaders.itemsOfOrder.load(order.id);
  }

  @UseMiddleware(limitedBy("orders"))
  @Mutation(() => OrderType, {
    description: "Places an order at the current prices of active products. For everyone.",
  })
  async placeOrder(
    @Arg("input", () => PlaceOrderInput, { description: "The order." }) input: PlaceOrderInput,
    @Args(() => OrderTerms) terms: OrderTerms,
    @Ctx() { loaders }: Context,
  ): Promise<OrderRecord> {
    const { order, items } = await this.service.place(input, terms);
    loaders.itemsOfOrder.prime(order.id, items);
    return order;
  }

  @Authorized(ADMIN)
  @Mutation(() => OrderType, {
    description:
      "Moves an order on: PENDING to PAID or CANCELLED, PAID to CANCELLED; the state that it has " +
      "is no change, any other move a conflict. For administrators.",
  })
  setOrderStatus(
    @Arg("id", () => Int, { description: "The order's id." }) id: number,
    @Arg("status", () => OrderStatus, { description: "The state it moves to." })
    status: OrderStatus,
  ): Promise<OrderRecord> {
    return this.service.setStatus(id, status);
  }
}
