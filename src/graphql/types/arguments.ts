import { ArgsType, Field, Int } from "type-graphql";

/** The arguments of a page. */
@ArgsType()
export class PageArguments {
  @Field(() => Int, { defaultValue: 1, description: "The page, from 1." })
  page!: number;

  @Field(() => Int, { defaultValue: 10, description: "Entries per page, 1 to 50." })
  pageSize!: number;
}

/** The arguments of a connection. */
@ArgsType()
export class ConnectionArguments {
  @Field(() => Int, { defaultValue: 10, description: "Entries at most, 1 to 50." })
  first!: number;

  @Field(() => String, {
    nullable: true,
    description: "The cursor of the entry to go on after.",
  })
  after?: string | null;
}

/** Arguments that name one thing. */
@ArgsType()
export class KeyArguments {
  @Field(() => Int, { nullable: true, description: "The id; give either this or the slug." })
  id?: number;

  @Field({ nullable: true, description: "The slug; give either this or the id." })
  slug?: string;
}
