import type { Client } from "pg";
import sql from "sql-template-tag";
import { hasAddress } from "../../database/statements/has-address";
import { inSnapshot, withTimeTexts, type Snapshot } from "../../database/statements/snapshot";
import type { SubscriptionTokens } from "./subscription-tokens";

export const exportedColumns: readonly string[] = ["email", "isActive", "createdAt"];

/** A subscriber in a file. */
interface ExportedSubscriber {
  readonly email: string;
  /** False for who is sent nothing. */
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly unsubscribeToken?: string;
}

const COLUMNS = sql`email, is_active AS "isActive", created_at AS "createdAt"`;

/**
 * Calls `write` with all subscribers at one moment, a batch at a time, in the order of their ids, and with their tokens
 * if these are given.
 */
export const exportSubscribers = <T>(
  client: Client,
  write: (batches: AsyncIterable<readonly ExportedSubscriber[]>) => Promise<T>,
  tokens?: SubscriptionTokens,
): Promise<T> => inSnapshot(client, (snapshot) => write(subscribersIn(snapshot, tokens)));

async function* subscribersIn(
  snapshot: Snapshot,
  tokens: SubscriptionTokens | undefined,
): AsyncGenerator<ExportedSubscriber[]> {
  const batches = snapshot.exported<ExportedSubscriber & { readonly id: number }>(
    sql`SELECT id, ${COLUMNS} FROM newsletter_subscribers ORDER BY id`,
  );
  for await (const rows of batches) {
    yield rows.map(({ id, ...row }) => {
      const named = { id, createdAt: new Date(row.createdAt) };
      return { ...row, ...(tokens && { unsubscribeToken: tokens.unsubscribeTokenOf(named) }) };
    });
  }
}

/** The subscription with this address, for its customer's file; null if there is none. Of several, an active one. */
export async function subscriberIn(snapshot: Snapshot, address: string): Promise<object | null> {
  const [row] = await snapshot.rows(
    sql`SELECT ${COLUMNS}, consented_at AS "consentedAt", consent_address AS "consentAddress"
        FROM newsletter_subscribers
        WHERE ${hasAddress("email", address)} ORDER BY is_active DESC, id LIMIT 1`,
  );
  return row ? withTimeTexts(row) : null;
}
