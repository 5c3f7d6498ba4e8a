import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { AuthenticationService } from "../../services/authentication-service";
import { LoginInput } from "../../services/inputs/login-input";
import type { Context } from "../context";
import { AccessTokenType } from "../types/access-token";

/** Login of administrators. */
@Resolver()
export class AuthenticationResolver {
  constructor(private readonly service: AuthenticationService) {}

  @Mutation(() => AccessTokenType, { description: "Signs an administrator in." })
  async login(
    @Arg("input", () => LoginInput, { description: "The credentials." }) input: LoginInput,
    @Ctx() { address }: Context,
  ): Promise<AccessTokenType> {
    return { accessToken: await this.service.login(input, address) };
  }
}
