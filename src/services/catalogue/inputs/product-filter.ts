import { Field, InputType, Int } from "type-graphql";
import { Money } from "../../../vocabulary/money";
import { Flag, MAX_LENGTH, Price, Text, WholeNumber, WholeNumbers } from "../../input/fields";
import { OptionalOrNull } from "../../input/rules";

/** The most ids in a filter: as many as an order may have items. */
export const MAX_IDS = 100;

/** Maximum length of a search, in code points. */
const SEARCH_MAX_LENGTH = 200;

@InputType({ description: "Conditions on products, all of which hold." })
export class ProductFilter {
  @Field(() => [Int], {
    nullable: true,
    description: `Products with one of these ids, at most ${MAX_IDS}. Ids that no product has are ignored.`,
  })
  @OptionalOrNull()
  @WholeNumbers(MAX_IDS)
  ids?: number[];

  @Field(() => Int, { nullable: true, description: "Products of the category with this id." })
  @OptionalOrNull()
  @WholeNumber()
  categoryId?: number;

  @Field({ nullable: true, description: "Products of the category with this slug." })
  @OptionalOrNull()
  @Text(MAX_LENGTH.slug)
  categorySlug?: string;

  @Field({ nullable: true, description: "Only those that can, or can't, be ordered." })
  @OptionalOrNull()
  @Flag()
  isActive?: boolean;

  @Field(() => Money, { nullable: true, description: "The least price, inclusive." })
  @OptionalOrNull()
  @Price()
  minPrice?: Money;

  @Field(() => Money, { nullable: true, description: "The greatest price, inclusive." })
  @OptionalOrNull()
  @Price()
  maxPrice?: Money;

  @Field({
    nullable: true,
    description:
      "Words in any order, each of which occurs in the name or the description; letter case and " +
      `accents are ignored. At most ${SEARCH_MAX_LENGTH} characters.`,
  })
  @OptionalOrNull()
  @Text(SEARCH_MAX_LENGTH)
  search?: string;
}
