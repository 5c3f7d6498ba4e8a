import type { DataSettings } from "../../config/settings";
import { withClient } from "../../database/connection/with-client";
import { OperatorError } from "../../vocabulary/errors";
import { SealedSecrets } from "./sealed-secrets";
import { lostSecrets } from "./stored-secrets";

/** What helps where secrets were encrypted under another `DATA_SECRET`. */
const ADVICE =
  "They were encrypted under another DATA_SECRET: add that to DATA_PREVIOUS_SECRETS. If there was none then, add the JWT_SECRET of then to JWT_PREVIOUS_SECRETS.";

/** The most rows that a message names. */
const SHOWN = 10;

interface Help {
  /** What helps if the secret is known. */
  readonly advice?: string;
  /** How the command line is called. */
  readonly command: string;
}

/**
 * Checks that the present secret for data, or a previous one, opens all sealed secrets in the database.
 *
 * @throws OperatorError that names the rows, and says what to do
 */
export async function assertSecretsOpen(
  databaseUrl: string,
  data: DataSettings,
  help: Help,
): Promise<void> {
  const secrets = new SealedSecrets(data);
  const lost = await withClient(databaseUrl, (client) => lostSecrets(client, secrets));
  if (lost.length > 0) throw secretsLost(lost, help);
}

/** The failure where no key opens the secrets of these rows. */
export function secretsLost(
  rows: readonly string[],
  { advice = ADVICE, command }: Help,
): OperatorError {
  const more = rows.length - SHOWN;
  const named = [...rows.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const count = `${rows.length} ${rows.length === 1 ? "row" : "rows"}`;
  return new OperatorError(
    `The secrets of ${count} can't be decrypted: ${named}. ${advice} If it is lost, run: ${command} secrets renew --replace-lost`,
  );
}
