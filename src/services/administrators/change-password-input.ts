import { ArgsType, Field } from "type-graphql";
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from "../../vocabulary/text/password";
import { NewPassword, PasswordAttempt } from "../input/fields";

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
