import { Email } from "../input/fields";

export class SubscribeInput {
  @Email()
  email!: string;
}
