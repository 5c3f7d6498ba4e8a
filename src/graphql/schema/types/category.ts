import { Field, Int, ObjectType } from "type-graphql";

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
