import { Email } from "../input/fields";

/** An address of the newsletter. */
export class SubscribeInput {
  @Email()
  email!: string;
}
