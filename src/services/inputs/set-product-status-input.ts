import { Flag } from "./fields";

/** Whether a product can be ordered. */
export class SetProductStatusInput {
  @Flag()
  isActive!: boolean;
}
