import type { Command } from "commander";
import { withClient } from "../database/connection/with-client";
import { SealedSecrets, secretsLost } from "../services/secrets/sealed-secrets";
import { renewSecrets } from "../services/secrets/stored-secrets";
import { counted, print, type Io } from "./io";
import { commandSettings, serviceSettings, withMigratedDatabase } from "./database";

const help = `
The secrets of webhook endpoints and one-time codes are stored encrypted under DATA_SECRET. To
change that, add the old one to DATA_PREVIOUS_SECRETS, restart every process with both, and run this command with the same settings. Then nothing
in the database needs the old one any more. The secrets themselves stay the same, so no receiver notices, and the
service goes on meanwhile. A second run renews nothing. The lookups of orders are signatures, not secrets: those
under the old DATA_SECRET end when it is removed (docs/security.md).

Secrets that neither DATA_SECRET nor a previous one opens stay as they are, the command names their rows, and fails;
all others are renewed. With --replace-lost, they are replaced by new ones, which nobody knows yet: give each of
these endpoints another one (rotateWebhookSecret), and tell its receiver. Administrators need a recovery code, a passkey,
or the command admin reset-second-factor.

Examples:
  npm run tea -- secrets renew
  npm run tea -- secrets renew --replace-lost`;

export function addSecretsCommands(program: Command, io: Io): void {
  program
    .command("secrets")
    .description("encrypt the stored secrets anew, after a change of DATA_SECRET")
    .addHelpText("after", "\nExample:\n  npm run tea -- secrets renew")
    .command("renew")
    .description("encrypt all secrets under the present DATA_SECRET")
    .option("--replace-lost", "replace the secrets that can't be decrypted any more by new ones")
    .addHelpText("after", help)
    .action(({ replaceLost = false }: { readonly replaceLost?: boolean }) =>
      renew(replaceLost, io),
    );
}

/** @throws OperatorError if there are secrets that no key opens, and they are not to be replaced */
async function renew(replacesLost: boolean, io: Io): Promise<void> {
  const settings = commandSettings(io);
  await withMigratedDatabase(settings, async (databaseUrl) => {
    const secrets = new SealedSecrets((await serviceSettings(settings, databaseUrl)).data);
    const { renewed, current, lost } = await withClient(databaseUrl, (client) =>
      renewSecrets(client, secrets, { replacesLost }),
    );
    print(io, `Renewed ${counted(renewed, "secret")}; ${counted(current, "was", "were")} current`);
    if (lost.length === 0) return;
    if (!replacesLost) throw secretsLost(lost, { command: "npm run tea --" });
    print(io, `Replaced what no key opened, of ${lost.join(", ")}`);
  });
}
