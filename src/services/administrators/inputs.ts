import { Field, InputType, ArgsType } from "type-graphql";
import { invalid, outOfRange, type Issue } from "../../vocabulary/reasons";
import {
  AnyJson,
  Email,
  Flag,
  Instant,
  JsonValue,
  Name,
  NewPassword,
  PasswordAttempt,
  Text,
} from "../input/fields";
import { NullableField } from "../input/graphql-fields";
import { empty } from "../input/rules";
import type { CrossChecked } from "../input/validate";
import { monthsBefore } from "../../vocabulary/times";
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from "../../vocabulary/text/password";

/** The most characters of a code; longer texts are none. */
const CODE_LENGTH = 100;

/** The body of a login at REST (contract 4.login). */
export class LoginInput {
  @Email()
  email!: string;

  @PasswordAttempt()
  password!: string;
}

/** A login at GraphQL, which has fields for second factors (contract 10.codes.once). */
@InputType("LoginInput", { description: "Credentials of an administrator." })
export class FactorLoginInput implements CrossChecked {
  @Field({ description: "The account's e-mail address; letter case is ignored." })
  @Email()
  email!: string;

  @Field({ description: "The account's password." })
  @PasswordAttempt()
  password!: string;

  @NullableField(
    "Six digits, or a recovery code, if the account has one-time codes.",
    Text(CODE_LENGTH),
  )
  code?: string;

  @NullableField(
    "Instead, the answer of a passkey to the options of `startPasskeyLogin`.",
    AnyJson(),
    () => JsonValue,
  )
  passkey?: JsonValue;

  crossIssues(): (readonly [string, Issue])[] {
    const isTwice = this.code !== undefined && this.passkey !== undefined;
    return isTwice ? [["passkey", invalid("must not be given together with code")]] : [];
  }
}

/** What an administrator sends to change their own password (contract 10.password). */
@ArgsType()
export class ChangePasswordInput {
  @Field({ description: "The account's present password." })
  @PasswordAttempt()
  currentPassword!: string;

  @Field({
    description: `The new password: at least ${PASSWORD_MIN_LENGTH} characters, at most ${PASSWORD_MAX_BYTES} bytes in UTF-8.`,
  })
  @NewPassword()
  newPassword!: string;
}

/** A passkey that an authenticator has made. */
@ArgsType()
export class ConfirmPasskeyInput {
  @Field({ description: "What you call the authenticator." })
  @Name()
  name!: string;

  @Field(() => JsonValue, {
    description: "The answer of the authenticator, as `PublicKeyCredential.toJSON()` writes it.",
  })
  @AnyJson()
  response!: JsonValue;
}

/** What an invited administrator sends (contract 10.invitations). */
@ArgsType()
export class AcceptInvitationInput {
  @Field({ description: "The token in the link." })
  @PasswordAttempt()
  token!: string;

  @Field({ description: "The password to choose, by the rules of `changePassword`." })
  @NewPassword()
  password!: string;
}

/** How an administrator shows again who they are, in one of three ways (contract 10.fresh-look). */
@ArgsType()
export class ConfirmIdentityInput implements CrossChecked {
  @NullableField("The account's password, if it has no second factor.", PasswordAttempt())
  password?: string;

  @NullableField("Six digits, or a recovery code.", Text(CODE_LENGTH))
  code?: string;

  @NullableField(
    "The answer of a passkey to the options of `startPasskeyConfirmation`.",
    AnyJson(),
    () => JsonValue,
  )
  passkey?: JsonValue;

  crossIssues(): (readonly [string, Issue])[] {
    const given = [this.password, this.code, this.passkey].filter((each) => each !== undefined);
    if (given.length === 0) return [["password", empty]];
    return given.length > 1
      ? [["password", invalid("must not be given together with code or passkey, nor these two")]]
      : [];
  }
}

/** A new token for a program (contract 10.program-tokens). */
@ArgsType()
export class CreateProgramTokenInput implements CrossChecked {
  @Field({ description: "What people call it: 1 to 120 characters." })
  @Name()
  name!: string;

  @Field(() => Date, { description: "When it ends: in the future, after a year at the latest." })
  @Instant()
  endsAt!: Date;

  @Field({ defaultValue: false, description: "Whether it may call only what changes nothing." })
  @Flag()
  readOnly!: boolean;

  crossIssues(): [string, Issue][] {
    const now = new Date();
    const latest = monthsBefore(now, -12);
    if (!(this.endsAt instanceof Date) || (this.endsAt > now && this.endsAt <= latest)) return [];
    const [min, max] = [now.toISOString(), latest.toISOString()];
    return [["endsAt", outOfRange("must be in the future, within a year", { min, max })]];
  }
}
