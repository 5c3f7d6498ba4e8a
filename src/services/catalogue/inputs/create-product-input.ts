import { Field, InputType, Int } from "type-graphql";
import { Money } from "../../../vocabulary/money";
import { Description, Flag, Id, MAX_LENGTH, Name, Price, Slug } from "../../input/fields";
import { Optional } from "../../input/rules";

@InputType({ description: "A new product." })
export class CreateProductInput {
  @Field({ description: `1 to ${MAX_LENGTH.name} characters, trimmed.` })
  @Name()
  name!: string;

  @Field({
    nullable: true,
    description: "Words of a-z and 0-9 joined by hyphens; derived from the name if left out.",
  })
  @Optional()
  @Slug()
  slug?: string;

  @Field({
    nullable: true,
    description: `At most ${MAX_LENGTH.description} characters; empty if left out.`,
  })
  @Optional()
  @Description()
  description?: string;

  @Field(() => Money, { description: `${Money.ZERO} to ${Money.MAX}.` })
  @Price()
  price!: Money;

  @Field(() => Int, { description: "The category that the product belongs to." })
  @Id()
  categoryId!: number;

  @Field({ nullable: true, description: "Whether it can be ordered; false if left out." })
  @Optional()
  @Flag()
  isActive?: boolean;
}
