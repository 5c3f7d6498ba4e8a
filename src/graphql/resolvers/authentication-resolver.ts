import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { Authentication } from "../../services/administrators/authentication";
import { LoginInput } from "../../services/administrators/login-input";
import type { Context } from "../context";
import { AccessTokenType } from "../types/access-token";

/** Login of administrators. */
@Resolver()
export class AuthenticationResolver {
  constructor(private readonly service: Authentication) {}

  @Mutation(() => AccessTokenType, { description: "Signs an administrator in." })
  async login(
    @Arg("input", () => LoginInput, { description: "The credentials." }) input: LoginInput,
    @Ctx() { address }: Context,
  ): Promise<AccessTokenType> {
    return { accessToken: await this.service.login(input, address) };
  }
}
