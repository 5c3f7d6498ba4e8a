import { Field, InputType } from "type-graphql";
import { Flag, MAX_LENGTH, Name, Slug } from "../../input/fields";
import { NullableField, OptionalField } from "../../input/graphql-fields";

@InputType({ description: "A new category." })
export class CreateCategoryInput {
  @Field({ description: `1 to ${MAX_LENGTH.name} characters, trimmed.` })
  @Name()
  name!: string;

  @OptionalField(
    "Words of a-z and 0-9 joined by hyphens; derived from the name if left out.",
    Slug(),
  )
  slug?: string;

  @OptionalField("True if left out.", Flag())
  isActive?: boolean;
}

@InputType({ description: "Changes of a category; what is left out stays as it is." })
export class UpdateCategoryInput {
  @OptionalField(`1 to ${MAX_LENGTH.name} characters, trimmed. The slug stays.`, Name())
  name?: string;

  @OptionalField("Words of a-z and 0-9 joined by hyphens.", Slug())
  slug?: string;

  @OptionalField("Never affects the category's products.", Flag())
  isActive?: boolean;
}

@InputType({ description: "Conditions on categories." })
export class CategoryFilter {
  @NullableField("Only those that are, or are not, active.", Flag())
  isActive?: boolean;
}
