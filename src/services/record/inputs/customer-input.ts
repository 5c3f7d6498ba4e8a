import { Email } from "../../input/email";

/** A customer, who is known by an address alone. */
export class CustomerInput {
  @Email()
  email!: string;
}
