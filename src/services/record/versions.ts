import type { Attributes, Model, ModelStatic, Transaction } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql, { join, raw } from "sql-template-tag";
import { columnsOf } from "../../database/statements/columns";
import { ConcurrentChange } from "../../database/statements/failures";
import { runSql, settingWriteContext } from "../../database/statements/sql";
import { inTransaction, withRetries } from "../../database/statements/transaction";
import { columnName } from "../../vocabulary/columns";
import { conflict, notFound } from "../../vocabulary/errors";

/** On what condition something is changed or deleted. */
export interface ChangeTerms {
  /** The version that the caller has seen. Undefined or `null`: whichever it is. */
  readonly expectedVersion?: number | null | undefined;
}

/** A row that counts its changes: 1 when created, and one more with each change that a client can see. */
interface Versioned {
  readonly id: number;
  readonly version: number;
}

/** @throws DomainError CONFLICT if the row has another version than the expected one */
export function assertVersion(
  noun: string,
  { id, version }: Versioned,
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
interface ExpectedRow<M extends Model> {
  readonly sequelize: Sequelize;
  readonly model: ModelStatic<M>;
  /** What it is called in refusals. */
  readonly noun: string;
  readonly id: number;
  readonly terms: ChangeTerms;
}

/**
 * Changes a row that has the expected version, and returns it. It is not locked first, because an update that changes
 * no key lets orders of the product go on.
 *
 * Handwritten: one statement with its write context, where a model's `update` takes three round trips (BEGIN, UPDATE,
 * COMMIT) and half of the rate.
 *
 * @throws DomainError NOT_FOUND, or CONFLICT if it has another version
 */
export const updateExpected = <M extends Model & Versioned>(
  { sequelize, model, noun, id, terms }: ExpectedRow<M>,
  values: Partial<Attributes<M>>,
): Promise<Attributes<M>> =>
  withRetries(async () => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const time = "updatedAt" in model.getAttributes() ? [["updatedAt", new Date()] as const] : [];
    const assignments = [...given, ...time].map(
      ([field, value]) => sql`${raw(columnName(field))} = ${value}`,
    );
    const version = terms.expectedVersion ?? undefined;
    const isExpected = version === undefined ? sql`true` : sql`version = ${version}`;
    const [changed] = await runSql<Attributes<M>>(
      sequelize,
      sql`UPDATE ${raw(model.tableName)} SET ${join(assignments)} FROM ${settingWriteContext()}
          WHERE id = ${id} AND ${isExpected} RETURNING ${columnsOf(model)}`,
      { name: nameOfChange(model.tableName, given, version) },
    );
    if (changed) return changed;
    assertVersion(noun, await present(model, { noun, id }), terms);
    throw new ConcurrentChange(`${noun} ${id} has just got the expected version`);
  });

/** The name of a change of one field, which may run often. There are too many others to prepare each. */
const nameOfChange = (
  table: string,
  [change, ...others]: readonly (readonly [string, unknown])[],
  version: number | undefined,
): string | undefined =>
  change && others.length === 0
    ? `change ${change[0]} of ${table}${version === undefined ? "" : ", expected"}`
    : undefined;

/**
 * Deletes a row that has the expected version, and returns it as it was.
 *
 * @throws DomainError NOT_FOUND, or CONFLICT if it has another version
 */
export const deleteExpected = <M extends Model & Versioned>({
  sequelize,
  model,
  noun,
  id,
  terms,
}: ExpectedRow<M>): Promise<Attributes<M>> =>
  inTransaction(sequelize, async (transaction) => {
    const row = await present(model, { noun, id, transaction, lock: true });
    assertVersion(noun, row, terms);
    await row.destroy({ transaction });
    return attributesOf(row);
  });

const attributesOf = <M extends Model>(row: M): Attributes<M> =>
  row.get({ plain: true }) as Attributes<M>;

/** The row with an id. @throws DomainError NOT_FOUND */
async function present<M extends Model>(
  model: ModelStatic<M>,
  { noun, id, ...how }: { noun: string; id: number; transaction?: Transaction; lock?: boolean },
): Promise<M> {
  const row = await model.findByPk(id, how);
  if (!row) throw notFound(noun);
  return row;
}
