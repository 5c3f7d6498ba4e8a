import { Field, InputType, Int, registerEnumType } from "type-graphql";
import { Money } from "../../../vocabulary/money";
import {
  Description,
  Flag,
  Id,
  MAX_LENGTH,
  Name,
  OneOf,
  Price,
  Slug,
  Text,
  WholeNumber,
  WholeNumbers,
} from "../../input/fields";
import { NullableField, OptionalField } from "../../input/graphql-fields";

@InputType({ description: "A new product." })
export class CreateProductInput {
  @Field({ description: `1 to ${MAX_LENGTH.name} characters, trimmed.` })
  @Name()
  name!: string;

  @OptionalField(
    "Words of a-z and 0-9 joined by hyphens; derived from the name if left out.",
    Slug(),
  )
  slug?: string;

  @OptionalField(`At most ${MAX_LENGTH.description} characters; empty if left out.`, Description())
  description?: string;

  @Field(() => Money, { description: `${Money.ZERO} to ${Money.MAX}.` })
  @Price()
  price!: Money;

  @Field(() => Int, { description: "The category that the product belongs to." })
  @Id()
  categoryId!: number;

  @OptionalField("Whether it can be ordered; false if left out.", Flag())
  isActive?: boolean;
}

@InputType({ description: "Changes of a product; what is left out stays as it is." })
export class UpdateProductInput {
  @OptionalField(`1 to ${MAX_LENGTH.name} characters, trimmed. The slug stays.`, Name())
  name?: string;

  @OptionalField("Words of a-z and 0-9 joined by hyphens.", Slug())
  slug?: string;

  @OptionalField(`At most ${MAX_LENGTH.description} characters.`, Description())
  description?: string;

  @OptionalField(
    `${Money.ZERO} to ${Money.MAX}. Orders that were placed keep their price.`,
    Price(),
    () => Money,
  )
  price?: Money;

  @OptionalField("The category that the product moves to.", Id(), () => Int)
  categoryId?: number;

  @OptionalField("Whether it can be ordered.", Flag())
  isActive?: boolean;
}

export class SetProductStatusInput {
  @Flag()
  isActive!: boolean;
}

/** The most ids in a filter: as many as an order may have items. */
export const MAX_IDS = 100;

/** Maximum length of a search, in code points. */
const SEARCH_MAX_LENGTH = 200;

@InputType({ description: "Conditions on products, all of which hold." })
export class ProductFilter {
  @NullableField(
    `Products with one of these ids, at most ${MAX_IDS}. Ids that no product has are ignored.`,
    WholeNumbers(MAX_IDS),
    () => [Int],
  )
  ids?: number[];

  @NullableField("Products of the category with this id.", WholeNumber(), () => Int)
  categoryId?: number;

  @NullableField("Products of the category with this slug.", Text(MAX_LENGTH.slug))
  categorySlug?: string;

  @NullableField("Only those that can, or can't, be ordered.", Flag())
  isActive?: boolean;

  @NullableField("The least price, inclusive.", Price(), () => Money)
  minPrice?: Money;

  @NullableField("The greatest price, inclusive.", Price(), () => Money)
  maxPrice?: Money;

  @NullableField(
    "Words in any order, each of which occurs in the name or the description; letter case and " +
      `accents are ignored. At most ${SEARCH_MAX_LENGTH} characters.`,
    Text(SEARCH_MAX_LENGTH),
  )
  search?: string;
}

export enum ProductSortField {
  CREATED_AT = "CREATED_AT",
  NAME = "NAME",
  PRICE = "PRICE",
  RELEVANCE = "RELEVANCE",
}

export enum SortDirection {
  ASC = "ASC",
  DESC = "DESC",
}

registerEnumType(ProductSortField, {
  name: "ProductSortField",
  description: "What products are sorted by.",
  valuesConfig: {
    CREATED_AT: { description: "The time of creation." },
    NAME: { description: "The name, letter case ignored." },
    PRICE: { description: "The price." },
    RELEVANCE: {
      description:
        "How well the name fits the filter's `search`, which must be given. With DESC, first come products " +
        "whose name has all of the words and begins with one of them, then those whose name has all of the " +
        "words, then all others; in each group the newest first.",
    },
  },
});

registerEnumType(SortDirection, {
  name: "SortDirection",
  description: "The direction of a sort.",
  valuesConfig: {
    ASC: { description: "Least, first, oldest or worst first." },
    DESC: { description: "Greatest, last, newest or best first." },
  },
});

@InputType({ description: "The order of products; the id breaks ties, in the same direction." })
export class ProductSort {
  @Field(() => ProductSortField, {
    defaultValue: ProductSortField.CREATED_AT,
    description: "What is sorted by.",
  })
  @OneOf(Object.values(ProductSortField))
  field!: ProductSortField;

  @Field(() => SortDirection, { defaultValue: SortDirection.DESC, description: "The direction." })
  @OneOf(Object.values(SortDirection))
  direction!: SortDirection;
}
