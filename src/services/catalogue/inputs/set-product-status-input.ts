import { Flag } from "../../input/fields";

export class SetProductStatusInput {
  @Flag()
  isActive!: boolean;
}
