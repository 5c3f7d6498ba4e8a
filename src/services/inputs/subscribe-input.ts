import { Email } from "./fields";

/** An address of the newsletter. */
export class SubscribeInput {
  @Email()
  email!: string;
}
