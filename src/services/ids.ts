import { MAX_INTEGER } from "./inputs/fields";

/** Whether anything can be stored under the id: ids beyond the database's integer are simply unknown. */
export const isStorableId = (id: number): boolean =>
  Number.isInteger(id) && id >= 1 && id <= MAX_INTEGER;
