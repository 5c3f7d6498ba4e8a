import { Args, Ctx, Extensions, Field, ObjectType, Resolver } from "type-graphql";
import type { Authentication } from "../../../services/administrators/authentication";
import { ChangePasswordInput, FactorLoginInput } from "../../../services/administrators/inputs";
import type { Logins } from "../../../services/administrators/logins";
import type { Context } from "../../context";
import { Mutation } from "../decorators/operation";
import { InputArg } from "../types/arguments";

@ObjectType("AccessToken", { description: "A token of an administrator.", simpleResolvers: true })
export class AccessTokenType {
  @Extensions({ typicalLength: 300 })
  @Field({ description: "A JWT for the header `Authorization: Bearer <token>`." })
  accessToken!: string;
}

@Resolver()
export class AuthenticationResolver {
  constructor(
    private readonly service: Authentication,
    private readonly logins: Logins,
  ) {}

  @Mutation(() => AccessTokenType, "Signs an administrator in.")
  async login(
    @InputArg("The credentials.") input: FactorLoginInput,
    @Ctx() context: Context,
  ): Promise<AccessTokenType> {
    return { accessToken: await this.logins.login(input, context) };
  }

  @Mutation(
    () => AccessTokenType,
    "Renews the token of the request: another one for the same login, which ends with that login's " +
      "lifetime at the latest. When that is over, only a new login helps.",
  )
  async renewToken(@Ctx() context: Context): Promise<AccessTokenType> {
    return { accessToken: await this.service.renewToken(context.token(), context) };
  }

  @Mutation(
    () => AccessTokenType,
    "Changes your own password. All your tokens end but the one that this returns, even if the new " +
      "password is the current one. A wrong current password counts as a failed login.",
  )
  async changePassword(
    @Args() input: ChangePasswordInput,
    @Ctx() context: Context,
  ): Promise<AccessTokenType> {
    return { accessToken: await this.logins.changePassword(context.token(), input, context) };
  }
}
