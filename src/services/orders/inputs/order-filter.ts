import { Field, InputType, Int, registerEnumType } from "type-graphql";
import { OrderStatus } from "../../../models";
import { FilterText, Id, Instant, OneOf, SomeOf, Text, WholeNumbers } from "../../input/fields";
import { OptionalOrNull } from "../../input/rules";

export { OrderStatus };

registerEnumType(OrderStatus, {
  name: "OrderStatus",
  description: "The state of an order.",
  valuesConfig: {
    PENDING: { description: "Placed, and not paid yet." },
    PAID: { description: "Paid." },
    CANCELLED: { description: "Cancelled; it stays so." },
  },
});

/** Lengths of a part of an address, in code points. An index finds nothing shorter than three. */
export const SEARCH_LENGTH = { least: 3, most: 100 } as const;

/** The most ids in a filter. */
const MAX_IDS = 100;

@InputType({ description: "Conditions on orders, all of which hold." })
export class OrderFilter {
  @Field(() => OrderStatus, { nullable: true, description: "Orders in this state." })
  @OptionalOrNull()
  @OneOf(Object.values(OrderStatus))
  status?: OrderStatus;

  @Field(() => [OrderStatus], {
    nullable: true,
    description: "Orders in one of these states; with `status`, both must hold.",
  })
  @OptionalOrNull()
  @SomeOf(Object.values(OrderStatus))
  statuses?: OrderStatus[];

  @Field(() => [Int], {
    nullable: true,
    description: `Orders with one of these ids, at most ${MAX_IDS}. Ids that no order has are ignored.`,
  })
  @OptionalOrNull()
  @WholeNumbers(MAX_IDS)
  ids?: number[];

  @Field(() => Int, { nullable: true, description: "Orders that have this product." })
  @OptionalOrNull()
  @Id()
  productId?: number;

  @Field({ nullable: true, description: "The customer's whole address; letter case is ignored." })
  @OptionalOrNull()
  @FilterText()
  customerEmail?: string;

  @Field({
    nullable: true,
    description:
      `${SEARCH_LENGTH.least} to ${SEARCH_LENGTH.most} characters that occur in the customer's address; ` +
      "letter case is ignored.",
  })
  @OptionalOrNull()
  @Text(SEARCH_LENGTH.most, SEARCH_LENGTH.least)
  customerSearch?: string;

  @Field(() => Date, { nullable: true, description: "Placed at this time or later." })
  @OptionalOrNull()
  @Instant()
  placedFrom?: Date;

  @Field(() => Date, { nullable: true, description: "Placed before this time." })
  @OptionalOrNull()
  @Instant()
  placedBefore?: Date;
}
