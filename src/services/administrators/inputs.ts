import { Field, InputType, ArgsType } from "type-graphql";
import { Email, NewPassword, PasswordAttempt } from "../input/fields";
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from "../../vocabulary/text/password";

/** The body of a login (contract 4.login). */
@InputType({ description: "Credentials of an administrator." })
export class LoginInput {
  @Field({ description: "The account's e-mail address; letter case is ignored." })
  @Email()
  email!: string;

  @Field({ description: "The account's password." })
  @PasswordAttempt()
  password!: string;
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
