import { ArgsType, Field } from "type-graphql";
import { Money } from "../../../vocabulary/money";
import { Price } from "../../input/fields";
import { OptionalOrNull } from "../../input/rules";
import { IdempotencyKeyText, KEY_FORM } from "./idempotency-key-text";

/** Optional terms of an order; they are headers in REST and arguments in GraphQL. */
@ArgsType()
export class OrderTerms {
  @Field({
    nullable: true,
    description: `A key of your own, ${KEY_FORM}: the same order sent again under it is placed once.`,
  })
  @OptionalOrNull()
  @IdempotencyKeyText()
  idempotencyKey?: string;

  @Field(() => Money, {
    nullable: true,
    description: "The total that the customer agreed to; an order of any other total is refused.",
  })
  @OptionalOrNull()
  @Price()
  expectedTotal?: Money;
}
