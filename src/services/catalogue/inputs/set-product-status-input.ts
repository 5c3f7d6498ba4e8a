import { Flag } from "../../input/fields";

/** Whether a product can be ordered. */
export class SetProductStatusInput {
  @Flag()
  isActive!: boolean;
}
