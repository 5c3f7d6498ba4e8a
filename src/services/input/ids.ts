import { isStorable } from "../../text/unicode";
import { MAX_INTEGER } from "./fields";

/** What names one thing of the catalogue. */
export type Key = { readonly id: number } | { readonly slug: string };

/** Whether anything can be stored under the id: ids beyond the database's integer are simply unknown. */
export const isStorableId = (id: number): boolean =>
  Number.isInteger(id) && id >= 1 && id <= MAX_INTEGER;

/** Whether anything can be stored under the key. */
export const isStorableKey = (key: Key): boolean =>
  "id" in key ? isStorableId(key.id) : isStorable(key.slug);
