import type { Client } from "pg";
import sql from "sql-template-tag";
import { hasAddress } from "../../database/statements/has-address";
import { selection } from "../../database/statements/columns";
import { inSnapshot, type Snapshot } from "../../database/statements/snapshot";
import type { Columns, Exported } from "../../vocabulary/columns";
import type { SubscriberRecord } from "./subscribers";

/**
 * The columns of a subscriber in a file, in their order, by attribute. `isActive` is false after
 * the subscription has ended.
 */
const names = {
  email: "email",
  isActive: "isActive",
  createdAt: "createdAt",
} as const satisfies Readonly<
  Record<Exclude<keyof Columns<SubscriberRecord>, "id" | "version">, string>
>;

/** A subscriber in a file. */
export type ExportedSubscriber = Exported<SubscriberRecord, typeof names>;

export const exportedColumns: readonly string[] = Object.values(names);

/** All subscribers at one moment. */
export interface SubscriberExport {
  readonly total: number;
  /** The subscribers, a batch at a time, in the order of their ids. */
  readonly batches: AsyncIterable<readonly ExportedSubscriber[]>;
}

/** Calls `write` with the subscribers. Changes go on meanwhile and are not seen. */
export const exportSubscribers = <T>(
  client: Client,
  write: (subscribers: SubscriberExport) => Promise<T>,
): Promise<T> =>
  inSnapshot(client, async (snapshot) => {
    const [row] = await snapshot.rows<{ total: number }>(
      sql`SELECT count(*)::integer AS total FROM newsletter_subscribers`,
    );
    const rows = snapshot.batches<SubscriberRow>(
      sql`SELECT ${selection(names)} FROM newsletter_subscribers ORDER BY id`,
    );
    return write({ total: row?.total ?? 0, batches: subscribers(rows) });
  });

/** The subscriber of a snapshot with this address; null if there is none. Of several spellings, an active one. */
export async function subscriberIn(
  snapshot: Snapshot,
  address: string,
): Promise<ExportedSubscriber | null> {
  const [row] = await snapshot.rows<SubscriberRow>(
    sql`SELECT ${selection(names)} FROM newsletter_subscribers WHERE ${hasAddress("email", address)}
        ORDER BY is_active DESC, id LIMIT 1`,
  );
  return row ? shown(row) : null;
}

type SubscriberRow = Omit<ExportedSubscriber, "createdAt"> & { readonly createdAt: Date };

async function* subscribers(
  batches: AsyncIterable<readonly SubscriberRow[]>,
): AsyncGenerator<ExportedSubscriber[]> {
  for await (const rows of batches) yield rows.map(shown);
}

const shown = (row: SubscriberRow): ExportedSubscriber => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
});
