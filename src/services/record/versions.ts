import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import { rowsBy, type ModelTable } from "../../database/statements/model-table";
import { conflict, notFound } from "../../vocabulary/errors";

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
const expected = (id: number, terms: ChangeTerms): Sql[] => {
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

/** Which row is changed, and on what condition. */
interface ExpectedRow<Row extends object> {
  readonly sequelize: Sequelize;
  readonly model: ModelTable<Row>;
  /** What it is called in refusals. */
  readonly noun: string;
  readonly id: number;
  readonly terms: ChangeTerms;
}

/**
 * The row that `change` has changed or deleted, if it meets the conditions: it has the id and the expected version. If
 * there is none, the row is read, which says why. Should it have got that version only in between, `change` is tried
 * once more; versions only grow.
 *
 * @throws DomainError NOT_FOUND, or CONFLICT if it has another version
 */
export async function changeExpected<Row extends Versioned & { readonly id: number }>(
  { sequelize, model, noun, id, terms }: ExpectedRow<Row>,
  change: (where: readonly Sql[]) => Promise<Row | undefined>,
): Promise<Row> {
  for (let tries = 0; tries < 2; tries += 1) {
    const changed = await change(expected(id, terms));
    if (changed) return changed;
    const [present] = await rowsBy(sequelize, model, "id", [id]);
    if (!present) break;
    assertVersion(noun, present, terms);
  }
  throw notFound(noun);
}
