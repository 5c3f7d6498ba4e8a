import { Field, InputType } from "type-graphql";
import { Flag } from "../../input/fields";
import { OptionalOrNull } from "../../input/rules";

@InputType({ description: "Conditions on categories." })
export class CategoryFilter {
  @Field({ nullable: true, description: "Only those that are, or are not, active." })
  @OptionalOrNull()
  @Flag()
  isActive?: boolean;
}
