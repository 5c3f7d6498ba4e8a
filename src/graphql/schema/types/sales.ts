import { Field, Int, ObjectType } from "type-graphql";
import { Money } from "../../../vocabulary/money";
import { Day } from "../scalars";

@ObjectType("SalesDay", { description: "The orders of a day.", simpleResolvers: true })
export class SalesDayType {
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
export class OrderTotalsType {
  @Field(() => Int, { description: "The number of orders." })
  orders!: number;

  @Field(() => Money, {
    description: "What those that are not cancelled amount to; it has no upper bound.",
  })
  amount!: string;
}

@ObjectType("BestSeller", { description: "How much of a product was sold.", simpleResolvers: true })
export class BestSellerType {
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
export class BestSellersType {
  @Field(() => Date, { description: "When they were read, at most 60 seconds ago." })
  asOf!: Date;

  @Field(() => [BestSellerType], { description: "The products." })
  data!: BestSellerType[];
}
