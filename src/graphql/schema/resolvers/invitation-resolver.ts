import { Args, Ctx, Resolver } from "type-graphql";
import { AcceptInvitationInput } from "../../../services/administrators/inputs";
import type { Invitations } from "../../../services/administrators/invitations";
import type { Context } from "../../context";
import { Mutation } from "../decorators/operation";
import { AccessTokenType } from "./authentication-resolver";

@Resolver()
export class InvitationResolver {
  constructor(private readonly service: Invitations) {}

  @Mutation(
    () => AccessTokenType,
    "Chooses the password of an account by the link of its invitation, and signs in. A wrong token counts as a " +
      "failed login.",
  )
  async acceptInvitation(
    @Args() input: AcceptInvitationInput,
    @Ctx() context: Context,
  ): Promise<AccessTokenType> {
    return { accessToken: await this.service.accept(input, context) };
  }
}
