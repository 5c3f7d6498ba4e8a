import { Extensions, Field, ObjectType } from "type-graphql";

@ObjectType("AccessToken", { description: "A token of an administrator.", simpleResolvers: true })
export class AccessTokenType {
  @Extensions({ typicalLength: 300 })
  @Field({ description: "A JWT for the header `Authorization: Bearer <token>`." })
  accessToken!: string;
}
