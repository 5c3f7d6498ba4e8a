import { isStorable } from "./text/unicode";

/** The maximum of PostgreSQL's 32-bit integer, the type of ids and quantities. */
export const MAX_INTEGER = 2_147_483_647;

/** Identifies one product or category. */
export type Key = { readonly id: number } | { readonly slug: string };

/** Whether the database's integer type can hold the id. If it can't, no resource with this id exists. */
export const isStorableId = (id: number): boolean =>
  Number.isInteger(id) && id >= 1 && id <= MAX_INTEGER;

export const isStorableKey = (key: Key): boolean =>
  "id" in key ? isStorableId(key.id) : isStorable(key.slug);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a value is a UUID as text, with hyphens. */
export const isUuid = (value: unknown): value is string =>
  typeof value === "string" && UUID.test(value);
