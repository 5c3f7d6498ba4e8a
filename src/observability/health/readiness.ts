import { DomainError } from "../../vocabulary/errors";
import type { FailureReport } from "../../http/answer/failure-report";

/** The states of the parts that a request needs; the first state of each is the good one. */
export interface ReadinessParts {
  /** `busy`: too many requests wait for a connection. */
  readonly database: "up" | "down" | "busy";
  readonly migrations: "applied" | "pending" | "unknown";
  readonly draining: "no" | "yes";
}

export interface ReadinessOptions {
  /** Asks the database whether all migrations are applied. */
  readonly isMigrated: () => Promise<boolean>;
  readonly isDraining: () => boolean;
  readonly report: FailureReport;
}

/** The state of each part, read after the call. Never rejects. */
export async function readReadiness(options: ReadinessOptions): Promise<ReadinessParts> {
  const database = await askDatabase(options);
  return { ...database, draining: options.isDraining() ? "yes" : "no" };
}

async function askDatabase({
  isMigrated,
  report,
}: ReadinessOptions): Promise<Omit<ReadinessParts, "draining">> {
  try {
    return { database: "up", migrations: (await isMigrated()) ? "applied" : "pending" };
  } catch (error) {
    if (error instanceof DomainError) return { database: "busy", migrations: "unknown" };
    report(error, { status: 503 });
    return { database: "down", migrations: "unknown" };
  }
}

export const isReady = ({ database, migrations, draining }: ReadinessParts): boolean =>
  database === "up" && migrations === "applied" && draining === "no";
