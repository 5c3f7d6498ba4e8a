import { Money } from "../../../vocabulary/money";
import { Description, Flag, Name, OneOf, Price, Slug, TimeText } from "../../input/fields";
import { Optional } from "../../input/rules";

/** A product of a file. */
export class ImportedProductInput {
  @OneOf(["product"])
  type!: "product";

  /** If left out, the product is new, and its slug is derived from the name. */
  @Optional()
  @Slug()
  slug?: string;

  @Name()
  name!: string;

  @Flag()
  isActive!: boolean;

  /** If left out, a new product gets the present time, and a stored one keeps its time. */
  @Optional()
  @TimeText()
  createdAt?: Date;

  /** The slug of its category. */
  @Slug()
  category!: string;

  @Price()
  price!: Money;

  @Description()
  description!: string;
}
