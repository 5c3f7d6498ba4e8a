import type { Attributes, Model, ModelStatic, Transaction, WhereOptions } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import { ConcurrentChange } from "../../database/statements/failures";
import { inTransaction } from "../../database/statements/transaction";
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
 * @throws DomainError NOT_FOUND, or CONFLICT if it has another version
 */
export const updateExpected = <M extends Model & Versioned>(
  { sequelize, model, noun, id, terms }: ExpectedRow<M>,
  values: Partial<Attributes<M>>,
): Promise<Attributes<M>> =>
  inTransaction(sequelize, async (transaction) => {
    const version = terms.expectedVersion ?? undefined;
    const where = { id, ...(version !== undefined && { version }) } as WhereOptions<Attributes<M>>;
    // The values were validated before they came here.
    const unchecked = { validate: false, sideEffects: false };
    const how = { where, returning: true as const, transaction, ...unchecked };
    const [, [changed]] = await model.update(values, how);
    if (changed) return attributesOf(changed);
    assertVersion(noun, await present(model, { noun, id, transaction }), terms);
    throw new ConcurrentChange(`${noun} ${id} has just got the expected version`);
  });

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
  { noun, id, ...how }: { noun: string; id: number; transaction: Transaction; lock?: boolean },
): Promise<M> {
  const row = await model.findByPk(id, how);
  if (!row) throw notFound(noun);
  return row;
}
