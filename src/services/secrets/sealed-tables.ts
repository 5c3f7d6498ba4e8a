import { newCodeSecret } from "../administrators/second-factors/codes";
import { newSecret } from "../../vocabulary/webhooks";

/** A table with sealed secrets. */
interface SealedTable {
  readonly name: string;
  /** The column that identifies a row. */
  readonly id: string;
  /** What its secrets are bound to: the name of what a row is. */
  readonly context: string;
  /** The columns of secrets, which may be null, and what takes the place of a secret that no key opens. */
  readonly columns: Readonly<Record<string, () => string | null>>;
  /** The column with the time at which a secret was last replaced. */
  readonly replacedAt: string;
}

/** The id of an endpoint is not known before the row is there, so a secret is bound to no more than the table. */
export const WEBHOOK_ENDPOINT = "webhook endpoint";

export const ONE_TIME_CODES = "one-time codes of administrator";

/** All tables with sealed secrets. */
export const sealedTables: readonly SealedTable[] = [
  {
    name: "webhook_endpoints",
    id: "id",
    context: WEBHOOK_ENDPOINT,
    columns: { secret: newSecret, previous_secret: () => null },
    replacedAt: "rotated_at",
  },
  {
    name: "one_time_codes",
    id: "admin_id",
    context: ONE_TIME_CODES,
    // Whoever has set up codes is still asked for one.
    columns: { secret: newCodeSecret, pending_secret: () => null },
    replacedAt: "confirmed_at",
  },
];
