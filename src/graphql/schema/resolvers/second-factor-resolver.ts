import { Arg, Args, Ctx, Field, ID, Int, ObjectType, Resolver } from "type-graphql";
import type { Principal } from "../../../services/administrators/authentication";
import { ConfirmPasskeyInput } from "../../../services/administrators/inputs";
import type { Logins } from "../../../services/administrators/logins";
import type {
  Holder,
  SecondFactors,
} from "../../../services/administrators/second-factors/second-factors";
import { JsonValue } from "../../../services/input/fields";
import type { Context } from "../../context";
import { Mutation, Query } from "../decorators/operation";
import { AccessTokenType } from "./authentication-resolver";

@ObjectType("Passkey", { description: "A passkey of your own.", simpleResolvers: true })
class PasskeyType {
  @Field(() => ID, { description: "The id." })
  id!: string;

  @Field({ description: "What you call it." })
  name!: string;

  @Field({ description: "When it was made." })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: "When you last signed in with it." })
  lastUsedAt!: Date | null;
}

@ObjectType("SecondFactors", { description: "Your second factors.", simpleResolvers: true })
class SecondFactorsType {
  @Field({ description: "Whether logins need a one-time code, or a passkey." })
  oneTimeCodes!: boolean;

  @Field(() => Int, { description: "Recovery codes that were not used." })
  recoveryCodesLeft!: number;

  @Field(() => [PasskeyType], { description: "Your passkeys, oldest first." })
  passkeys!: readonly PasskeyType[];
}

@ObjectType("TwoFactorSecret", {
  description: "The secret of one-time codes: RFC 6238 with SHA-1, six digits and 30 s.",
  simpleResolvers: true,
})
class TwoFactorSecretType {
  @Field({ description: "In base32." })
  secret!: string;

  @Field({ description: "The same as `otpauth://totp/…`, for a code to scan." })
  uri!: string;
}

const holderOf = ({ id, email, session }: Principal): Holder => ({
  ...{ id, email },
  session: session?.id,
});

@Resolver()
export class SecondFactorResolver {
  constructor(
    private readonly service: SecondFactors,
    private readonly logins: Logins,
  ) {}

  @Query(() => SecondFactorsType, "Your second factors.")
  secondFactors(@Ctx() context: Context): Promise<SecondFactorsType> {
    return this.service.of(context.principal().id);
  }

  @Mutation(
    () => TwoFactorSecretType,
    "Makes a secret of one-time codes, shown this once. It is in force when you confirm it.",
  )
  startOneTimeCodes(@Ctx() context: Context): Promise<TwoFactorSecretType> {
    return this.service.startOneTimeCodes(holderOf(context.principal()));
  }

  @Mutation(
    () => [String],
    "Puts the new one-time codes in force. Returns ten recovery codes, each for one login, shown this once.",
  )
  confirmOneTimeCodes(
    @Arg("code", () => String, { description: "A code of the new secret." }) code: string,
    @Ctx() context: Context,
  ): Promise<string[]> {
    return this.service.confirmOneTimeCodes(holderOf(context.principal()), code);
  }

  @Mutation(() => Boolean, "Ends your one-time codes; true if there were any.")
  endOneTimeCodes(@Ctx() context: Context): Promise<boolean> {
    return this.service.endOneTimeCodes(holderOf(context.principal()));
  }

  @Mutation(() => JsonValue, "Creation options of WebAuthn for a new passkey.")
  startPasskey(@Ctx() context: Context): Promise<object> {
    return this.service.startPasskey(holderOf(context.principal()));
  }

  @Mutation(() => PasskeyType, "Stores a new passkey, of at most 20.")
  confirmPasskey(
    @Args() { name, response }: ConfirmPasskeyInput,
    @Ctx() context: Context,
  ): Promise<PasskeyType> {
    return this.service.confirmPasskey(holderOf(context.principal()), name, response);
  }

  @Mutation(() => Boolean, "Ends a passkey of yours; true if there was one.")
  endPasskey(
    @Arg("id", () => ID, { description: "The passkey's id." }) id: string,
    @Ctx() context: Context,
  ): Promise<boolean> {
    return this.service.endPasskey(holderOf(context.principal()), id);
  }

  @Mutation(() => JsonValue, "Request options of WebAuthn, to sign in by a passkey.")
  startPasskeyLogin(): Promise<object> {
    return this.service.startPasskeyLogin();
  }

  @Mutation(() => AccessTokenType, "Signs an administrator in by a passkey alone.")
  async loginWithPasskey(
    @Arg("response", () => JsonValue, {
      description: "The answer to the options of `startPasskeyLogin`.",
    })
    response: JsonValue,
    @Ctx() context: Context,
  ): Promise<AccessTokenType> {
    return { accessToken: await this.logins.loginWithPasskey(response, context) };
  }

  @Mutation(() => JsonValue, "Request options of WebAuthn, for `confirmIdentity`.")
  startPasskeyConfirmation(@Ctx() context: Context): Promise<object> {
    return this.service.startPasskeyConfirmation(holderOf(context.principal()));
  }
}
