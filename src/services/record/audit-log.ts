import type { InferAttributes } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import { hasAddress } from "../../database/statements/has-address";
import {
  keysetOrder,
  readKeysetPage,
  timeOf,
  type KeysetPage,
  type KeysetRequest,
} from "../../lists/keyset";
import { costOfTotal, type ListOptions, type Lists } from "../../lists/lists";
import { runSql } from "../../database/statements/sql";
import { AuditEntry, type AuditChange, type AuditSubject } from "../../models";
import type { ReadPool } from "../../reads/read-pool";
import { currentWriteContext } from "../../vocabulary/current-work";
import type { AuditFilter } from "./inputs";

export type AuditRecord = InferAttributes<AuditEntry>;

/** Which entries a list shows; a filter of `null` counts as left out. */
export interface AuditQuery extends ListOptions {
  readonly filter?: AuditFilter | null | undefined;
}

const newest = keysetOrder<AuditRecord>({
  prefix: "",
  key: timeOf(sql`at`, ({ at }) => at),
  direction: "DESC",
});

/** Who changed what. Triggers write an entry in the transaction of each change (migration 006). */
export class AuditLog {
  private readonly entries = this.sequelize.getRepository(AuditEntry);

  constructor(
    private readonly sequelize: Sequelize,
    private readonly reads: ReadPool,
    private readonly lists: Lists,
  ) {}

  /** Adds an entry of what changes nothing, such as an export, by the administrator who does it. */
  async record(subject: AuditSubject, changes: readonly AuditChange[]): Promise<void> {
    const writeContext = currentWriteContext();
    if (!writeContext) throw new Error("What is recorded says where it comes from");
    const { actor, door, operation, address, requestId, source } = writeContext;
    await runSql(
      this.sequelize,
      sql`INSERT INTO audit_entries (actor, door, operation, subject, changes, address, request_id, source)
          VALUES (${actor ?? null}, ${door}, ${operation}, ${subject}, ${JSON.stringify(changes)}::jsonb,
            ${address ?? null}, ${requestId ?? null}, ${source ?? null})`,
    );
  }

  /**
   * Part of the log by keyset, newest first. An index serves each filter, so the number of entries does not matter.
   *
   * @throws DomainError INVALID_INPUT if the cursor is not one of this list
   */
  keysetPage(request: KeysetRequest, query: AuditQuery = {}): Promise<KeysetPage<AuditRecord>> {
    const { filter, counted = true, signal } = query;
    const where = conditionsOf(filter);
    const list = { database: this.reads.current, model: this.entries, where, counted, signal };
    return readKeysetPage<AuditRecord>(
      this.lists,
      newest,
      request,
      list,
      costOfTotal(query.counted),
    );
  }
}

function conditionsOf(filter: AuditQuery["filter"]): Sql[] {
  const { subject, subjectId, actor, operation, from, before } = filter ?? {};
  return [
    subject !== undefined && sql`subject = ${subject}`,
    subjectId !== undefined && sql`subject_id = ${subjectId}`,
    actor !== undefined && hasAddress("actor", actor),
    operation !== undefined && sql`operation = ${operation}`,
    from !== undefined && sql`at >= ${from}`,
    before !== undefined && sql`at < ${before}`,
  ].filter((condition) => condition !== false);
}
