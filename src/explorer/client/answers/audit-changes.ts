import { isObject, valueOf } from "../objects";
import { headingOf } from "./words";

/** A field that a change has set, as the audit log shows it. */
interface AuditChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * The lines that say in words what an entry of the audit log has changed: "Price: 8.00 → 8.80". What was created or
 * deleted is called so in the first line, and the others show what it was.
 *
 * @param show how values are shown that are neither absent nor empty; by default as the service sends them
 */
export function linesOf(
  value: unknown,
  show: (text: string, field: string) => string = (text) => text,
): readonly string[] {
  const changes = Array.isArray(value) ? value.filter(isChange) : [];
  const shown = (field: string, text: string | null) =>
    text ? show(text, field) : text === "" ? "empty" : "none";
  const only = (side: "before" | "after") =>
    changes
      .filter((each) => each[side] !== null)
      .map((each) => `${nameOf(each.field)}: ${shown(each.field, each[side])}`);
  if (isWhole(changes, "before")) return ["Created", ...only("after")];
  if (isWhole(changes, "after")) return ["Deleted", ...only("before")];
  return changes.map(({ field, before, after }) =>
    before === null && after === null
      ? `${nameOf(field)}: changed`
      : `${nameOf(field)}: ${shown(field, before)} → ${shown(field, after)}`,
  );
}

const isChange = (value: unknown): value is AuditChange =>
  isObject(value) && typeof valueOf(value, "field") === "string";

/** Whether the object did not exist on this side of the change: then it has not even a time of its creation. */
const isWhole = (changes: readonly AuditChange[], side: "before" | "after"): boolean =>
  changes.some(({ field }) => field === "createdAt") &&
  changes.every((each) => each[side] === null);

/** "Is active" for `isActive`, and "Item 17 quantity" for `items.17.quantity`. */
const nameOf = (field: string): string =>
  headingOf(...field.replace(/^items\./, "item.").split("."));
