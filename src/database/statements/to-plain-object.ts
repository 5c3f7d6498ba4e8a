import type { Attributes, Model } from "sequelize";

/** The stored attributes of a model's instance, as a plain object without any reference to the database. */
export const toPlainObject = <M extends Model>(instance: M): Attributes<M> =>
  instance.get({ plain: true }) as Attributes<M>;
