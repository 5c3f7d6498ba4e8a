import type { Variables } from "../service";

/** Variables that are to be set; what is undefined is left out. */
export type Changes = Variables;

export function changed(variables: Variables, changes: Changes): Variables {
  const entries = Object.entries({ ...variables, ...changes });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
