import { newSecret } from "../../vocabulary/webhooks";

/** A table with sealed secrets. */
interface SealedTable {
  readonly name: string;
  /** What its secrets are bound to: the name of what a row is. */
  readonly context: string;
  /** The columns of secrets, which may be null, and what takes the place of a secret that no key opens. */
  readonly columns: Readonly<Record<string, () => string | null>>;
  /** The column with the time at which a secret was last replaced. */
  readonly replacedAt: string;
}

/** The id of an endpoint is not known before the row is there, so a secret is bound to no more than the table. */
export const WEBHOOK_ENDPOINT = "webhook endpoint";

/** All tables with sealed secrets. */
export const sealedTables: readonly SealedTable[] = [
  {
    name: "webhook_endpoints",
    context: WEBHOOK_ENDPOINT,
    columns: { secret: newSecret, previous_secret: () => null },
    replacedAt: "rotated_at",
  },
];
