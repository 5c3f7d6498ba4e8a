import { Flag, Name, OneOf, Slug, TimeText } from "../../input/fields";
import { Optional } from "../../input/rules";

/** A category of a file. */
export class ImportedCategoryInput {
  @OneOf(["category"])
  type!: "category";

  /** If left out, the category is new, and its slug is derived from the name. */
  @Optional()
  @Slug()
  slug?: string;

  @Name()
  name!: string;

  @Flag()
  isActive!: boolean;

  /** If left out, a new category gets the present time, and a stored one keeps its time. */
  @Optional()
  @TimeText()
  createdAt?: Date;
}
