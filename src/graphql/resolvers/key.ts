import { invalidInput } from "../../errors";
import type { Key } from "../../services/input/ids";
import type { KeyArguments } from "../types/arguments";

/**
 * What the arguments name a thing by; `null` counts as left out.
 *
 * @throws DomainError INVALID_INPUT unless exactly one of the two is given
 */
export function keyOf({ id, slug }: KeyArguments): Key {
  if (typeof id === "number" && typeof slug !== "string") return { id };
  if (typeof slug === "string" && typeof id !== "number") return { slug };
  throw invalidInput(["exactly one of id and slug must be given"]);
}
