import { Field, InputType, Int } from "type-graphql";
import { Money } from "../../../money";
import { Description, Flag, Id, Name, Price, Slug } from "../../input/fields";
import { Optional } from "../../input/rules";

/** Changes of a product; what is left out stays as it is. */
@InputType({ description: "Changes of a product; what is left out stays as it is." })
export class UpdateProductInput {
  @Field({ nullable: true, description: "1 to 120 characters, trimmed. The slug stays." })
  @Optional()
  @Name()
  name?: string;

  @Field({ nullable: true, description: "Words of a-z and 0-9 joined by hyphens." })
  @Optional()
  @Slug()
  slug?: string;

  @Field({ nullable: true, description: "At most 5,000 characters." })
  @Optional()
  @Description()
  description?: string;

  @Field(() => Money, {
    nullable: true,
    description: "0.00 to 99999999.99. Orders that were placed keep their price.",
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
