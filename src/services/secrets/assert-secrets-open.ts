import type { DataSettings } from "../../config/settings";
import { withClient } from "../../database/connection/with-client";
import { OperatorError } from "../../vocabulary/errors";
import { SealedSecrets } from "./sealed-secrets";
import { lostSecrets } from "./stored-secrets";

/** What helps where secrets were encrypted under another `DATA_SECRET`. */
const ADVICE =
  "Add the secret under which they were encrypted to DATA_PREVIOUS_SECRETS, or to JWT_PREVIOUS_SECRETS if there was no DATA_SECRET then.";

/** The most rows that a message names. */
const SHOWN = 10;

/**
 * Checks that the present secret for data, or a previous one, opens all sealed secrets in the database.
 *
 * @throws OperatorError that names the rows, and says what to do
 */
export async function assertSecretsOpen(
  databaseUrl: string,
  data: DataSettings,
  { advice = ADVICE, command }: { readonly advice?: string; readonly command: string },
): Promise<void> {
  const secrets = new SealedSecrets(data);
  const lost = await withClient(databaseUrl, (client) => lostSecrets(client, secrets));
  if (lost.length > 0) {
    throw secretsLost(
      lost,
      `${advice} If it is lost, run: ${command} secrets renew --replace-lost`,
    );
  }
}

/** The failure where no key opens the secrets of these rows. */
export function secretsLost(rows: readonly string[], advice = ADVICE): OperatorError {
  const more = rows.length - SHOWN;
  const named = [...rows.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const count = `${rows.length} ${rows.length === 1 ? "row" : "rows"}`;
  return new OperatorError(
    `Neither DATA_SECRET nor DATA_PREVIOUS_SECRETS opens the secrets of ${count}: ${named}. ${advice}`,
  );
}
