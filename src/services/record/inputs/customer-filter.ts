import { Field, InputType } from "type-graphql";
import { Text } from "../../input/fields";
import { OptionalOrNull } from "../../input/rules";
import { SEARCH_LENGTH } from "../../orders/inputs/order-filter";

@InputType({ description: "Conditions on customers." })
export class CustomerFilter {
  @Field({
    nullable: true,
    description:
      `${SEARCH_LENGTH.least} to ${SEARCH_LENGTH.most} characters that occur in the address; ` +
      "letter case is ignored.",
  })
  @OptionalOrNull()
  @Text(SEARCH_LENGTH.most, SEARCH_LENGTH.least)
  search?: string;
}
