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

@InputType({ description: "Changes of a product; what is left out stays as it is." })
export class UpdateProductInput {
  @Field({
    nullable: true,
    description: `1 to ${MAX_LENGTH.name} characters, trimmed. The slug stays.`,
  })
  @Optional()
  @Name()
  name?: string;

  @Field({ nullable: true, description: "Words of a-z and 0-9 joined by hyphens." })
  @Optional()
  @Slug()
  slug?: string;

  @Field({ nullable: true, description: `At most ${MAX_LENGTH.description} characters.` })
  @Optional()
  @Description()
  description?: string;

  @Field(() => Money, {
    nullable: true,
    description: `${Money.ZERO} to ${Money.MAX}. Orders that were placed keep their price.`,
  })
  @Optional()
  @Price()
  price?: Money;

  @Field(() => Int, { nullable: true, description: "The category that the product moves to." })
  @Optional()
  @Id()
  categoryId?: number;

  @Field({ nullable: true, description: "Whether it can be ordered." })
  @Optional()
  @Flag()
  isActive?: boolean;
}

export class SetProductStatusInput {
  @Flag()
  isActive!: boolean;
}
