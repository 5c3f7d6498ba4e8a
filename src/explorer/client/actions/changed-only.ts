import type { Variables } from "../service";

/**
 * The variables, but of the named one only the fields that have changed.
 *
 * @returns undefined if none has changed
 */
export function changedOnly(
  before: Variables,
  variables: Variables,
  name: string,
): Variables | undefined {
  const old = (before[name] ?? {}) as Variables;
  const changed = Object.entries((variables[name] ?? {}) as Variables).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(old[key]),
  );
  return changed.length === 0 ? undefined : { ...variables, [name]: Object.fromEntries(changed) };
}
