import { Field, InputType } from "type-graphql";
import { Flag, MAX_LENGTH, Name, Slug } from "../../input/fields";
import { Optional, OptionalOrNull } from "../../input/rules";

@InputType({ description: "A new category." })
export class CreateCategoryInput {
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

  @Field({ nullable: true, description: "True if left out." })
  @Optional()
  @Flag()
  isActive?: boolean;
}

@InputType({ description: "Changes of a category; what is left out stays as it is." })
export class UpdateCategoryInput {
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

  @Field({ nullable: true, description: "Never affects the category's products." })
  @Optional()
  @Flag()
  isActive?: boolean;
}

@InputType({ description: "Conditions on categories." })
export class CategoryFilter {
  @Field({ nullable: true, description: "Only those that are, or are not, active." })
  @OptionalOrNull()
  @Flag()
  isActive?: boolean;
}
