import { Arg, Args, Ctx, ID, Int, Resolver } from "type-graphql";
import type { Confirmation } from "../../../services/administrators/confirmation";
import {
  ConfirmIdentityInput,
  CreateProgramTokenInput,
} from "../../../services/administrators/inputs";
import type { ProgramTokens } from "../../../services/administrators/program-tokens";
import type { Sessions } from "../../../services/administrators/sessions";
import type { Context } from "../../context";
import { Mutation, Query } from "../decorators/operation";
import { CreatedProgramTokenType, ProgramTokenType, SessionType } from "../types/session";

const Id = (noun: string) => Arg("id", () => ID, { description: `The ${noun}'s id.` });

/** Sessions and programs' tokens of the caller. */
@Resolver()
export class SessionResolver {
  constructor(
    private readonly service: Sessions,
    private readonly confirmation: Confirmation,
    private readonly tokens: ProgramTokens,
  ) {}

  @Query(() => [SessionType], "Where you are logged in, newest first; at most 100.")
  async sessions(@Ctx() { principal }: Context): Promise<SessionType[]> {
    const { id: accountId, session: present } = principal();
    const sessions = await this.service.list(accountId);
    return sessions.map(({ id, startedAt, lastUsedAt, endsAt, address, client }) => ({
      ...{ id, startedAt, lastUsedAt: lastUsedAt ?? startedAt, endsAt, address, client },
      isCurrent: id === present?.id,
    }));
  }

  @Mutation(
    () => Boolean,
    "Ends the session of the request's token, and all its tokens with it. False for a token of the " +
      "release before, which has no session.",
  )
  async logOut(@Ctx() { principal }: Context): Promise<boolean> {
    const { id, session } = principal();
    return session !== undefined && this.service.end(id, session.id);
  }

  @Mutation(() => Boolean, "Ends a session of yours; says whether it was active.")
  endSession(@Id("session") id: string, @Ctx() { principal }: Context): Promise<boolean> {
    return this.service.end(principal().id, id);
  }

  @Mutation(() => Int, "Ends all your sessions but that of the request; returns how many.")
  endOtherSessions(@Ctx() { principal }: Context): Promise<number> {
    const { id, session } = principal();
    return this.service.endOthers(id, session?.id);
  }

  @Mutation(
    () => Boolean,
    "Gives your session a fresh look: for ten minutes it may call what needs one. Wrong tries " +
      "count as failed logins. False for a token of the release before, which has no session.",
  )
  confirmIdentity(
    @Args() input: ConfirmIdentityInput,
    @Ctx() { principal, address }: Context,
  ): Promise<boolean> {
    return this.confirmation.confirm(principal(), input, address);
  }

  @Query(() => [ProgramTokenType], "Your tokens for programs, newest first.")
  programTokens(@Ctx() { principal }: Context): Promise<ProgramTokenType[]> {
    return this.tokens.list(principal().id);
  }

  @Mutation(
    () => CreatedProgramTokenType,
    "Creates a token for a program, with your rights but for what is of accounts, exports, and what " +
      "needs a fresh look.",
  )
  createProgramToken(
    @Args() input: CreateProgramTokenInput,
    @Ctx() { principal }: Context,
  ): Promise<CreatedProgramTokenType> {
    return this.tokens.create(principal().id, input);
  }

  @Mutation(() => Boolean, "Ends a token of yours; says whether it was active.")
  endProgramToken(@Id("token") id: string, @Ctx() { principal }: Context): Promise<boolean> {
    return this.tokens.end(principal().id, id);
  }
}
