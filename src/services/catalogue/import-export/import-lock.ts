import type { Client } from "pg";
import { holderInWords } from "../../../database/statements/lock-holders";
import { conflict } from "../../../vocabulary/errors";

/** An arbitrary number that nothing else in this database uses as an advisory lock. */
const LOCK = 7_238_003;

/**
 * Takes the lock that an import holds until its session ends.
 *
 * @throws DomainError CONFLICT if another import has it
 */
export async function takeImportLock(client: Client): Promise<void> {
  const { rows } = await client.query<{ isTaken: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS "isTaken"',
    [LOCK],
  );
  if (rows[0]?.isTaken !== true) {
    const holder = await holderInWords(client, LOCK);
    throw conflict(`Another import is under way${holder}; try again when it has ended`, {
      code: "IN_USE",
    });
  }
}
