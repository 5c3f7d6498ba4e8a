import { Field, InputType, registerEnumType } from "type-graphql";
import { OneOf } from "../../input/fields";

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
