import type { Variables } from "../service";

/** Variables to set; those that are undefined are removed. */
export type Changes = Variables;

export function changed(variables: Variables, changes: Changes): Variables {
  const entries = Object.entries({ ...variables, ...changes });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
