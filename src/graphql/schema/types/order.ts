import { Field, Int, ObjectType } from "type-graphql";
import { OrderStatus } from "../../../services/orders/inputs";
import { Money } from "../../../vocabulary/money";
import { ProductType } from "./catalogue";

@ObjectType("OrderItem", {
  description:
    "A product of an order, at the price and under the name of the moment it was ordered.",
  simpleResolvers: true,
})
export class OrderItemType {
  @Field(() => Int, { description: "The id." })
  id!: number;

  @Field(() => Int, { description: "The id of its order." })
  orderId!: number;

  @Field(() => Int, { description: "The id of its product." })
  productId!: number;

  @Field(() => Int, { description: "How many of the product." })
  quantity!: number;

  @Field(() => Money, { description: "The product's price when the order was placed." })
  unitPrice!: string;

  @Field({ description: "The product's name when the order was placed." })
  productName!: string;

  @Field({ description: "The product's slug when the order was placed." })
  productSlug!: string;

  @Field(() => ProductType, { description: "The product as it is now." })
  product!: ProductType;
}

@ObjectType("Order", { description: "A customer's order.", simpleResolvers: true })
export class OrderType {
  @Field(() => Int, { description: "The id." })
  id!: number;

  @Field({ description: "The customer's e-mail address, as it was given." })
  customerEmail!: string;

  @Field(() => Money, { description: "The sum of all items' unit prices times quantities." })
  totalAmount!: string;

  @Field(() => OrderStatus, { description: "The state." })
  status!: OrderStatus;

  @Field(() => Date, { description: "When it was placed." })
  createdAt!: Date;

  @Field(() => Int, {
    description: "1 when created, and one more with each change that a client can see.",
  })
  version!: number;

  @Field(() => [OrderItemType], {
    description: "Its items, in the order in which they were sent.",
  })
  items!: OrderItemType[];
}
