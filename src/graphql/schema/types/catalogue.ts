import { Extensions, Field, Int, ObjectType } from "type-graphql";
import { Money } from "../../../vocabulary/money";

@ObjectType("Category", { description: "A category of the catalogue.", simpleResolvers: true })
export class CategoryType {
  @Field(() => Int, { description: "The id." })
  id!: number;

  @Field({ description: "The name." })
  name!: string;

  @Field({ description: "The name in addresses; unique." })
  slug!: string;

  @Field({ description: "Whether shops show it. It never affects the category's products." })
  isActive!: boolean;

  @Field(() => Date, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => Int, {
    description: "1 when created, and one more with each change that a client can see.",
  })
  version!: number;
}

@ObjectType("Price", {
  description: "A price of a product, and when it was in force.",
  simpleResolvers: true,
})
export class PriceType {
  @Field(() => Money, { description: "The price." })
  price!: string;

  @Field(() => Date, { description: "When it began." })
  from!: Date;

  @Field(() => Date, {
    nullable: true,
    description: "When the next price began; null for the present one.",
  })
  until!: Date | null;

  @Field({
    description: "Whether it was withdrawn: a mistake, which `lowestPriceBefore` leaves out.",
  })
  isWithdrawn!: boolean;
}

@ObjectType("Product", { description: "A product of the catalogue.", simpleResolvers: true })
export class ProductType {
  @Field(() => Int, { description: "The id." })
  id!: number;

  @Field({ description: "The name." })
  name!: string;

  @Field({ description: "The name in addresses; unique." })
  slug!: string;

  @Extensions({ typicalLength: 300 })
  @Field({ description: "The description; may be empty." })
  description!: string;

  @Field(() => Money, { description: "The current price." })
  price!: string;

  @Field({ description: "Whether it can be ordered." })
  isActive!: boolean;

  @Field(() => Int, { description: "The id of its category." })
  categoryId!: number;

  @Field(() => Date, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => Date, { description: "When it was last changed." })
  updatedAt!: Date;

  @Field(() => Int, {
    description: "1 when created, and one more with each change that a client can see.",
  })
  version!: number;

  @Field(() => CategoryType, { description: "Its category." })
  category!: CategoryType;
}
