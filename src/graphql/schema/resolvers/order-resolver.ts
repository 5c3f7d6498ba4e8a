import { Arg, Args, Ctx, Extensions, FieldResolver, Resolver, Root } from "type-graphql";
import {
  OrderFilter,
  OrderStatus,
  OrderTerms,
  PlaceOrderInput,
} from "../../../services/orders/inputs";
import { findingCost } from "../../../services/orders/order-query";
import type { Orders } from "../../../services/orders/orders";
import type { OrderRecord } from "../../../services/orders/order-records";
import type { ListOptions } from "../../../lists/lists";
import {
  ConnectionArguments,
  ExpectedVersionArg,
  FilterArg,
  IdArg,
  InputArg,
  Options,
  PageArguments,
} from "../types/arguments";
import { Mutation, Query } from "../decorators/operation";
import type { Loaders } from "../loaders";
import { OrderConnectionType, OrderPageType, presentConnection } from "../types/lists";
import { OrderType } from "../types/order";

@Resolver(() => OrderType)
export class OrderResolver {
  constructor(private readonly service: Orders) {}

  @Extensions({ findingCost })
  @Query(() => OrderPageType, "A page of orders, newest first.")
  orders(
    @Args() page: PageArguments,
    @FilterArg(OrderFilter, "orders") filter: OrderFilter | null,
    @Options("meta") reading: ListOptions,
  ) {
    return this.service.page(page.request(), { filter, ...reading });
  }

  @Extensions({ findingCost })
  @Query(() => OrderConnectionType, "Orders by cursor, newest first.")
  async ordersConnection(
    @Args() part: ConnectionArguments,
    @FilterArg(OrderFilter, "orders") filter: OrderFilter | null,
    @Options("totalCount") reading: ListOptions,
  ) {
    const query = { filter, ...reading };
    return presentConnection(await this.service.keysetPage(part.request(), query));
  }

  @Query(() => OrderType, "The order with this id; null if there is none.", { nullable: true })
  order(@IdArg("order") id: number) {
    return this.service.find(id);
  }

  @Query(
    () => OrderType,
    "The order that this lookup shows; null for any other text. By POST alone, as a lookup is a secret.",
    { nullable: true },
  )
  orderByLookup(@Arg("lookup", { description: "The `lookup` of an order." }) lookup: string) {
    return this.service.findByLookup(lookup);
  }

  @FieldResolver(() => String, {
    description:
      "A secret that shows this one order to whoever has it, by `orderByLookup`. Keep it out of URLs. It may " +
      "change when the service's secret does.",
  })
  lookup(@Root() order: OrderType) {
    return this.service.lookupOf(order);
  }

  @Mutation(() => OrderType, "Places an order at the current prices of active products.")
  async placeOrder(
    @InputArg("The order.") input: PlaceOrderInput,
    @Args() terms: OrderTerms,
    @Ctx("loaders") loaders: Loaders,
  ): Promise<OrderRecord> {
    const { order, items } = await this.service.place(input, terms);
    loaders.itemsOfOrder.prime(order.id, items);
    return order;
  }

  @Mutation(
    () => OrderType,
    "Moves an order from PENDING to PAID or CANCELLED, or from PAID to CANCELLED. Setting the state " +
      "that it has already changes nothing; any other move is a conflict.",
  )
  setOrderStatus(
    @IdArg("order") id: number,
    @Arg("status", () => OrderStatus, { description: "The new state." })
    status: OrderStatus,
    @ExpectedVersionArg("order") expectedVersion: number | null,
  ) {
    return this.service.setStatus(id, status, { expectedVersion });
  }
}
