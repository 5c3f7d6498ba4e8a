import type { Client } from "pg";
import { inClientTransaction } from "../../database/connection/with-client";
import { withRetries } from "../../database/statements/transaction";
import type { SealedSecrets } from "./sealed-secrets";
import { sealedTables } from "./sealed-tables";

/** What has become of the sealed secrets in the database. */
export interface Renewal {
  /** Secrets that are now sealed with the present key. */
  readonly renewed: number;
  /** Secrets that were already. */
  readonly current: number;
  /** Rows with a secret that no key opens, such as `webhook endpoint 7`. */
  readonly lost: readonly string[];
}

type SealedTable = (typeof sealedTables)[number];

interface StoredSecret {
  readonly column: string;
  readonly sealed: string;
  /** Undefined if no key opens it. */
  readonly text: string | undefined;
}

interface StoredRow {
  readonly id: number;
  /** Such as `webhook endpoint 7`. */
  readonly name: string;
  readonly secrets: readonly StoredSecret[];
}

/** The rows with a secret that no key opens, such as `webhook endpoint 7`. */
export async function lostSecrets(client: Client, secrets: SealedSecrets): Promise<string[]> {
  const lost: string[] = [];
  for (const table of sealedTables) {
    const rows = await rowsOf(client, table, secrets);
    lost.push(...rows.filter((row) => row.secrets.some(isLost)).map(({ name }) => name));
  }
  return lost;
}

/**
 * Seals all secrets with the present key, in one transaction; the secrets themselves stay the same. The others are
 * renewed even if no key opens some. These stay as they are or, with `replacesLost`, are replaced by new secrets, which
 * nobody knows. Replacements of a secret and this transaction wait for each other.
 */
export const renewSecrets = (
  client: Client,
  secrets: SealedSecrets,
  { replacesLost = false } = {},
): Promise<Renewal> =>
  withRetries(() =>
    inClientTransaction(client, async () => {
      const renewal = { renewed: 0, current: 0, lost: [] as string[] };
      for (const table of sealedTables) {
        const seal = (text: string | null): string | null =>
          text === null ? null : secrets.seal(text, table.context);
        for (const row of await rowsOf(client, table, secrets, "FOR NO KEY UPDATE")) {
          const values = new Map<string, string | Date | null>();
          for (const { column, sealed, text } of row.secrets) {
            if (text === undefined) {
              if (replacesLost) values.set(column, seal(table.columns[column]?.() ?? null));
            } else if (secrets.isPresent(sealed)) {
              renewal.current += 1;
            } else {
              values.set(column, seal(text));
              renewal.renewed += 1;
            }
          }
          if (row.secrets.some(isLost)) {
            renewal.lost.push(row.name);
            if (replacesLost) values.set(table.replacedAt, new Date());
          }
          await store(client, table, row, values);
        }
      }
      return renewal;
    }),
  );

const isLost = ({ text }: StoredSecret): boolean => text === undefined;

async function rowsOf(
  client: Client,
  { name, id, context, columns }: SealedTable,
  secrets: SealedSecrets,
  lock = "",
): Promise<StoredRow[]> {
  const names = Object.keys(columns);
  const { rows } = await client.query<Record<string, unknown> & { readonly id: number }>(
    `SELECT ${[`${id} AS id`, ...names].join(", ")} FROM ${name} ORDER BY ${id} ${lock}`,
  );
  return rows.map((row) => ({
    id: row.id,
    name: `${context} ${row.id}`,
    secrets: names.flatMap((column) => {
      const sealed = row[column];
      if (typeof sealed !== "string") return [];
      return [{ column, sealed, text: secrets.open(sealed, context) }];
    }),
  }));
}

async function store(
  client: Client,
  { name, id: key }: SealedTable,
  { id }: StoredRow,
  values: ReadonlyMap<string, string | Date | null>,
): Promise<void> {
  if (values.size === 0) return;
  const changes = [...values.keys()].map((column, at) => `${column} = $${at + 2}`);
  await client.query(`UPDATE ${name} SET ${changes.join(", ")} WHERE ${key} = $1`, [
    id,
    ...values.values(),
  ]);
}
