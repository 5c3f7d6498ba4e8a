import { Email, NewEmail } from "../input/email";

export class SubscribeInput {
  @NewEmail()
  email!: string;
}

export class UnsubscribeInput {
  @Email()
  email!: string;
}
