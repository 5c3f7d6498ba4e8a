import type { Client } from "pg";
import type { Sequelize } from "sequelize-typescript";
import { besidePool } from "../../database/connection/beside-pool";
import type { AuditChange, AuditSubject } from "../../models";
import { BoundedQueue } from "../../vocabulary/bounded-queue";
import type { AuditLog } from "./audit-log";

/** Exports that run at a time, each on a connection beside the pool, and that wait. */
const LIMITS = { concurrency: 2, waiting: 10, patience: 30_000 };

/** How an export has ended. */
export interface ExportEnd {
  readonly rows: number;
  readonly isComplete: boolean;
}

/** Exports for clients of the service. The audit log tells of each, when it begins and how it ended. */
export class Exports {
  private readonly queue = new BoundedQueue(LIMITS);

  constructor(
    private readonly sequelize: Sequelize,
    private readonly log: AuditLog,
  ) {}

  /**
   * Calls `write`, which reads by the client and returns how the export has ended. `end` is how it has ended if `write`
   * throws. The first entry of the log is committed before `write` is called.
   *
   * @throws DomainError UNAVAILABLE if too many exports are under way or the signal was aborted; the errors of `write`
   */
  run(
    { subject, filters, signal }: ExportTerms,
    write: (client: Client) => Promise<void>,
    end: () => ExportEnd,
  ): Promise<void> {
    return this.queue.run(async () => {
      await this.log.record(subject, filters);
      try {
        await besidePool(this.sequelize, signal, write);
      } finally {
        const { rows, isComplete } = end();
        await this.log.record(subject, [
          { field: "rows", before: null, after: String(rows) },
          { field: "isComplete", before: null, after: String(isComplete) },
        ]);
      }
    }, signal);
  }
}

/** What is exported, and for how long it is wanted. */
interface ExportTerms {
  readonly subject: AuditSubject;
  /** The filters, as the audit log shows them. */
  readonly filters: readonly AuditChange[];
  readonly signal: AbortSignal;
}
