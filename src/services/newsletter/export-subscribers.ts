import type { Client } from "pg";
import sql from "sql-template-tag";
import { hasAddress } from "../../database/statements/has-address";
import { selection } from "../../database/statements/columns";
import { inSnapshot, type Snapshot } from "../../database/statements/snapshot";
import type { Columns, Exported } from "../../vocabulary/columns";
import type { SubscriberRecord } from "./subscribers";
import type { SubscriptionTokens } from "./subscription-tokens";

/** The columns of a subscriber in a file, in their order, by attribute. `isActive` is false for who is sent nothing. */
const names = { email: "email", isActive: "isActive", createdAt: "createdAt" } as const;

/** What a customer's own file has of a subscription. */
const personalNames = {
  ...names,
  consentedAt: "consentedAt",
  consentAddress: "consentAddress",
} as const satisfies Readonly<
  Record<
    Exclude<keyof Columns<SubscriberRecord>, "id" | "version" | "requestedAt" | "requestedVersion">,
    string
  >
>;

/** A subscriber in a file. */
interface ExportedSubscriber extends Exported<SubscriberRecord, typeof names> {
  readonly unsubscribeToken?: string;
}

/** A subscription in the file of its customer. */
export type ExportedSubscription = Exported<SubscriberRecord, typeof personalNames>;

export const exportedColumns: readonly string[] = Object.values(names);

/** All subscribers at one moment. */
export interface SubscriberExport {
  readonly total: number;
  /** The subscribers, a batch at a time, in the order of their ids. */
  readonly batches: AsyncIterable<readonly ExportedSubscriber[]>;
}

/** Calls `write` with the subscribers, and their tokens if these are given. Changes go on meanwhile and are not seen. */
export const exportSubscribers = <T>(
  client: Client,
  write: (subscribers: SubscriberExport) => Promise<T>,
  tokens?: SubscriptionTokens,
): Promise<T> =>
  inSnapshot(client, async (snapshot) => {
    const [row] = await snapshot.rows<{ total: number }>(
      sql`SELECT count(*)::integer AS total FROM newsletter_subscribers`,
    );
    const rows = snapshot.batches<SubscriberRow>(
      sql`SELECT id, ${selection(names)} FROM newsletter_subscribers ORDER BY id`,
    );
    return write({ total: row?.total ?? 0, batches: subscribers(rows, tokens) });
  });

/** The subscriber of a snapshot with this address; null if there is none. Of several spellings, an active one. */
export async function subscriberIn(
  snapshot: Snapshot,
  address: string,
): Promise<ExportedSubscription | null> {
  const [row] = await snapshot.rows<Pick<SubscriberRecord, keyof typeof personalNames>>(
    sql`SELECT ${selection(personalNames)} FROM newsletter_subscribers
        WHERE ${hasAddress("email", address)} ORDER BY is_active DESC, id LIMIT 1`,
  );
  if (!row) return null;
  const { createdAt, consentedAt } = row;
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    consentedAt: consentedAt && consentedAt.toISOString(),
  };
}

type SubscriberRow = Pick<SubscriberRecord, "id" | keyof typeof names>;

async function* subscribers(
  batches: AsyncIterable<readonly SubscriberRow[]>,
  tokens: SubscriptionTokens | undefined,
): AsyncGenerator<ExportedSubscriber[]> {
  for await (const rows of batches) {
    yield rows.map(({ id, email, isActive, createdAt }) => ({
      email,
      isActive,
      createdAt: createdAt.toISOString(),
      ...(tokens && { unsubscribeToken: tokens.unsubscribeTokenOf({ id, createdAt }) }),
    }));
  }
}
