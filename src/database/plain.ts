import type { Attributes, Model } from "sequelize";

/** What is stored of a model's instance, as a plain object: what services hand out knows no database. */
export const plain = <M extends Model>(instance: M): Attributes<M> =>
  instance.get({ plain: true }) as Attributes<M>;
