import { Field, InputType, registerEnumType } from "type-graphql";
import { OrderStatus } from "../../../models";
import { FilterText, Instant, OneOf } from "../../input/fields";
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

  @Field(() => Date, { nullable: true, description: "Placed at this time or later." })
  @OptionalOrNull()
  @Instant()
  placedFrom?: Date;

  @Field(() => Date, { nullable: true, description: "Placed before this time." })
  @OptionalOrNull()
  @Instant()
  placedBefore?: Date;
}
