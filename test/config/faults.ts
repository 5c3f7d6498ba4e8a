import { ConfigError } from "../../src/config";

/** The faults that reading settings finds, a line each; none if it succeeds. */
export function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
  return [];
}

/** The variables that faults are about. */
export const namesOf = (faults: readonly string[]): string[] =>
  faults.map((fault) => fault.split(" ")[0] ?? "");
