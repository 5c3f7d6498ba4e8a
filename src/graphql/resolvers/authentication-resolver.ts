import { Ctx, Resolver } from "type-graphql";
import type { Authentication } from "../../services/administrators/authentication";
import { LoginInput } from "../../services/administrators/login-input";
import { InputArg } from "../decorators/arguments";
import { Mutation } from "../decorators/operation";
import { AccessTokenType } from "../types/access-token";

@Resolver()
export class AuthenticationResolver {
  constructor(private readonly service: Authentication) {}

  @Mutation(() => AccessTokenType, "Signs an administrator in.")
  async login(
    @InputArg("The credentials.") input: LoginInput,
    @Ctx("address") address: string,
  ): Promise<AccessTokenType> {
    return { accessToken: await this.service.login(input, address) };
  }
}
