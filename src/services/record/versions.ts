import sql, { type Sql } from "sql-template-tag";
import { conflict, notFound, type DomainError } from "../../vocabulary/errors";

/** On what condition something is changed or deleted. */
export interface ChangeTerms {
  /** The version that the caller has seen. Undefined or `null`: whichever it is. */
  readonly expectedVersion?: number | null | undefined;
}

/** A row that counts its changes: 1 when created, and one more with each change that a client can see. */
interface Versioned {
  readonly version: number;
}

const isAnyVersion = ({ expectedVersion }: ChangeTerms): boolean =>
  (expectedVersion ?? undefined) === undefined;

/** The conditions that a row has this id and the expected version. */
export const expected = (id: number, terms: ChangeTerms): Sql[] => {
  const isOne = sql`id = ${id}`;
  return isAnyVersion(terms) ? [isOne] : [isOne, sql`version = ${terms.expectedVersion}`];
};

/** The name of a change that may run often, such as of a price alone. There are too many others to name each. */
export function nameOfChange(noun: string, given: object, terms: ChangeTerms): string | undefined {
  const fields = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  const condition = isAnyVersion(terms) ? "" : ", expected";
  return fields.length === 1 ? `change ${fields[0]} of a ${noun}${condition}` : undefined;
}

/** @throws DomainError CONFLICT if the row has another version than the expected one */
export function assertVersion(
  noun: string,
  { id, version }: Versioned & { readonly id: number },
  { expectedVersion }: ChangeTerms,
): void {
  if ((expectedVersion ?? version) === version) return;
  throw conflict(`${noun} ${id} has changed: its version is ${version}, not ${expectedVersion}`, {
    code: "VERSION",
    path: "expectedVersion",
    version,
  });
}

/**
 * Why no row was {@link expected}: there is none, or it has another version. `present` is the row as it is now.
 *
 * @throws DomainError CONFLICT in the second case
 */
export function missing<Row extends Versioned & { readonly id: number }>(
  noun: string,
  present: Row | null,
  terms: ChangeTerms,
): DomainError {
  if (present) assertVersion(noun, present, terms);
  return notFound(noun);
}
