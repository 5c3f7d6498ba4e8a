import { Email } from "../../input/fields";

/** A customer, who is known by an address alone. */
export class CustomerInput {
  @Email()
  email!: string;
}
