import type { Sequelize } from "sequelize-typescript";
import { rowsBy, type ModelTable } from "../../database/model-table";
import { isStorableKey, type Key } from "../input/ids";

/** The row with this id or slug, or null. */
export async function findByKey<Row extends object>(
  sequelize: Sequelize,
  model: ModelTable<Row>,
  key: Key,
): Promise<Row | null> {
  if (!isStorableKey(key)) return null;
  const [row] =
    "id" in key
      ? await rowsBy(sequelize, model, "id", [key.id])
      : await rowsBy(sequelize, model, "slug", [key.slug]);
  return row ?? null;
}
