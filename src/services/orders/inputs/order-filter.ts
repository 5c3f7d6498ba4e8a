import { Field, InputType, registerEnumType } from "type-graphql";
import { OrderStatus } from "../../../models";
import { FilterText, Instant, OneOf, Text } from "../../input/fields";
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
const SEARCH_LENGTH = { least: 3, most: 100 } as const;

@InputType({ description: "Conditions on orders, all of which hold." })
export class OrderFilter {
  @Field(() => OrderStatus, { nullable: true, description: "Orders in this state." })
  @OptionalOrNull()
  @OneOf(Object.values(OrderStatus))
  status?: OrderStatus;

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
