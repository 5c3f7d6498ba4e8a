import { Arg, Args, Ctx, Extensions, Field, Int, ObjectType, Resolver } from "type-graphql";
import { LIST_COSTS, type ListOptions } from "../../../lists/lists";
import { validate } from "../../../services/input/validate";
import { MAX_DAYS, OrderFilter, SalesPeriod, SellingPeriod } from "../../../services/orders/inputs";
import { findingCost, type OrderQuery } from "../../../services/orders/order-query";
import type { Sales } from "../../../services/orders/sales";
import { costOfCustomers, type CustomerList } from "../../../services/record/customer-list";
import { CustomerFilter } from "../../../services/record/inputs";
import { Money } from "../../../vocabulary/money";
import { Query } from "../decorators/operation";
import { Day } from "../scalars";
import { FilterArg, FirstArguments, Options, PageArguments } from "../types/arguments";
import { CustomerPageType } from "../types/lists";

@ObjectType("SalesDay", { description: "The orders of a day.", simpleResolvers: true })
class SalesDayType {
  @Field(() => Day, { description: "The day." })
  date!: string;

  @Field(() => Int, { description: "The number of orders." })
  orders!: number;

  @Field(() => Int, { description: "How many of them are paid." })
  paid!: number;

  @Field(() => Int, { description: "How many of them are cancelled." })
  cancelled!: number;

  @Field(() => Money, { description: "What those that are not cancelled amount to." })
  amount!: string;
}

@ObjectType("OrderTotals", { description: "Orders in sum.", simpleResolvers: true })
class OrderTotalsType {
  @Field(() => Int, { description: "The number of orders." })
  orders!: number;

  @Field(() => Money, {
    description: "What those that are not cancelled amount to; it has no upper bound.",
  })
  amount!: string;
}

@ObjectType("BestSeller", { description: "How much of a product was sold.", simpleResolvers: true })
class BestSellerType {
  @Field(() => Int, { description: "The product's id." })
  productId!: number;

  @Field({ description: "Its name in the newest of the orders." })
  productName!: string;

  @Field(() => Int, { description: "How many were sold." })
  quantity!: number;

  @Field(() => Money, { description: "For how much." })
  amount!: string;
}

@ObjectType("BestSellers", {
  description: "The products that were sold for most.",
  simpleResolvers: true,
})
class BestSellersType {
  @Field(() => Date, { description: "When they were read, at most 60 seconds ago." })
  asOf!: Date;

  @Field(() => [BestSellerType], { description: "The products." })
  data!: BestSellerType[];
}

@Resolver(() => SalesDayType)
export class SalesResolver {
  constructor(
    private readonly sales: Sales,
    private readonly list: CustomerList,
  ) {}

  @Extensions({ findingCost: () => LIST_COSTS.search })
  @Query(() => [SalesDayType], "What was ordered on each day of a period, from its first day on.")
  salesByDay(
    @Arg("from", () => Day, { description: "The first day." }) from: string,
    @Arg("to", () => Day, { description: `The last day; at most ${MAX_DAYS} in all.` }) to: string,
    @Arg("timeZone", {
      defaultValue: "UTC",
      description: "The time zone of the days, by its IANA name, such as `Europe/Berlin`.",
    })
    timeZone: string,
    @Ctx("signal") signal: AbortSignal,
  ) {
    return this.sales.byDay(validate(SalesPeriod, { from, to, timeZone }), signal);
  }

  @Extensions({ findingCost: (query: OrderQuery) => LIST_COSTS.total + findingCost(query) })
  @Query(() => OrderTotalsType, "The number of orders, and what they amount to.")
  orderTotals(
    @FilterArg(OrderFilter, "orders") filter: OrderFilter | null,
    @Ctx("signal") signal: AbortSignal,
  ) {
    return this.sales.totals({ filter, signal });
  }

  @Extensions({ findingCost: () => LIST_COSTS.search })
  @Query(
    () => BestSellersType,
    "The products that were sold for most, by the orders that are not cancelled.",
  )
  bestSellers(
    @Arg("from", () => Date, { description: "Orders at this time or later." }) from: Date,
    @Arg("before", () => Date, {
      description: `Orders before this time, at most ${MAX_DAYS} days later.`,
    })
    before: Date,
    @Args() list: FirstArguments,
  ) {
    return this.sales.bestSellers(validate(SellingPeriod, { from, before }), list.size());
  }

  @Extensions({ findingCost: costOfCustomers })
  @Query(() => CustomerPageType, "A page of everybody who has ordered, by address.")
  customers(
    @Args() page: PageArguments,
    @FilterArg(CustomerFilter, "customers") filter: CustomerFilter | null,
    @Options("meta") reading: ListOptions,
  ) {
    return this.list.page(page.request(), { filter, ...reading });
  }
}
