import { Field, InputType, ArgsType } from "type-graphql";
import { invalid, type Issue } from "../../vocabulary/reasons";
import {
  AnyJson,
  Email,
  JsonValue,
  Name,
  NewPassword,
  PasswordAttempt,
  Text,
} from "../input/fields";
import { NullableField } from "../input/graphql-fields";
import type { CrossChecked } from "../input/validate";
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
