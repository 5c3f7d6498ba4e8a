import { Field, InputType, Int } from "type-graphql";
import { Money } from "../../../money";
import { Flag, MAX_LENGTH, Price, Text, WholeNumber } from "../../input/fields";
import { Unfiltered } from "../../input/rules";

/** Maximum length of a search, in code points. */
const SEARCH_MAX_LENGTH = 200;

@InputType({ description: "Conditions on products, all of which hold." })
export class ProductFilter {
  @Field(() => Int, { nullable: true, description: "Products of the category with this id." })
  @Unfiltered()
  @WholeNumber()
  categoryId?: number;

  @Field({ nullable: true, description: "Products of the category with this slug." })
  @Unfiltered()
  @Text(MAX_LENGTH.slug)
  categorySlug?: string;

  @Field({ nullable: true, description: "Only those that can, or can't, be ordered." })
  @Unfiltered()
  @Flag()
  isActive?: boolean;

  @Field(() => Money, { nullable: true, description: "The least price, inclusive." })
  @Unfiltered()
  @Price()
  minPrice?: Money;

  @Field(() => Money, { nullable: true, description: "The greatest price, inclusive." })
  @Unfiltered()
  @Price()
  maxPrice?: Money;

  @Field({
    nullable: true,
    description:
      "Words in any order, each of which occurs in the name or the description; letter case and " +
      `accents are ignored. At most ${SEARCH_MAX_LENGTH} characters.`,
  })
  @Unfiltered()
  @Text(SEARCH_MAX_LENGTH)
  search?: string;
}
