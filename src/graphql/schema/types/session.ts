import { Extensions, Field, ID, ObjectType } from "type-graphql";

@ObjectType("Session", {
  description: "A login of an administrator, with all tokens that were renewed since.",
  simpleResolvers: true,
})
export class SessionType {
  @Field(() => ID, { description: "As the claim `sid` of its tokens." })
  id!: string;

  @Field({ description: "When the login was." })
  startedAt!: Date;

  @Field({ description: "When it was used last. May be a minute old." })
  lastUsedAt!: Date;

  @Field({ description: "When it ends at the latest. Unless it is renewed, it ends before." })
  endsAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: "The client's address at the login, or the network of an IPv6 address.",
  })
  address!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The client's program as it named itself: the first 200 characters of `User-Agent`.",
  })
  client!: string | null;

  @Field({ description: "Whether it is the session of this request." })
  isCurrent!: boolean;
}

@ObjectType("ProgramToken", {
  description: "A token of an administrator for a program.",
  simpleResolvers: true,
})
export class ProgramTokenType {
  @Field(() => ID, { description: "As its claim `sid`." })
  id!: string;

  @Field({ description: "What people call it." })
  name!: string;

  @Field({ description: "Whether it may call only what changes nothing." })
  readOnly!: boolean;

  @Field({ description: "When it was created." })
  createdAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: "When it was used last. May be a minute old; null: never.",
  })
  lastUsedAt!: Date | null;

  @Field({ description: "When it ends. It is not renewed." })
  endsAt!: Date;
}

@ObjectType("CreatedProgramToken", {
  description: "A new token for a program.",
  simpleResolvers: true,
})
export class CreatedProgramTokenType {
  @Field({ description: "What is known of it." })
  token!: ProgramTokenType;

  @Extensions({ typicalLength: 300 })
  @Field({
    description: "A JWT for the header `Authorization: Bearer <secret>`. It is shown this once.",
  })
  secret!: string;
}
