import { Field, InputType } from "type-graphql";
import { Email } from "../input/email";
import { PasswordAttempt } from "../input/fields";

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
