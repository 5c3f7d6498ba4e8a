import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { DataSettings } from "../../config/settings";
import { withClient } from "../../database/connection/with-client";
import { OperatorError } from "../../vocabulary/errors";
import { lostSecrets } from "./stored-secrets";

const NONCE = 12;
const TAG = 16;

interface SealingKey {
  /** The name of the key in the rows that it has sealed. */
  readonly id: string;
  readonly key: Buffer;
}

/**
 * Encrypts secrets that the service must be able to read again, by AES-256-GCM under a key that is derived from
 * `DATA_SECRET` (HKDF, RFC 5869). A sealed text names its key: `<key id>.<nonce, tag and text in base64url>`.
 */
export class SealedSecrets {
  private readonly present: SealingKey;
  private readonly keys: ReadonlyMap<string, SealingKey>;

  constructor({ secret, previousSecrets }: DataSettings) {
    this.present = keyOf(secret);
    this.keys = new Map(
      [...previousSecrets.map(keyOf), this.present].map((each) => [each.id, each]),
    );
  }

  /** `context` says whose secret it is. Only with the same context can it be opened. */
  seal(text: string, context: string): string {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv("aes-256-gcm", this.present.key, nonce).setAAD(
      Buffer.from(context),
    );
    const sealed = [cipher.update(text, "utf8"), cipher.final()];
    const bytes = Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
    return `${this.present.id}.${bytes.toString("base64url")}`;
  }

  /** The secret in a sealed text; undefined if no key opens it. */
  open(sealed: string, context: string): string | undefined {
    const [id = "", text = ""] = sealed.split(".", 2);
    const known = this.keys.get(id);
    if (!known) return undefined;
    const bytes = Buffer.from(text, "base64url");
    try {
      const decipher = createDecipheriv("aes-256-gcm", known.key, bytes.subarray(0, NONCE), {
        authTagLength: TAG,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      const opened = [decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()];
      return Buffer.concat(opened).toString("utf8");
    } catch {
      return undefined;
    }
  }

  /** Whether a text is sealed with the present key. */
  isPresent(sealed: string): boolean {
    return sealed.startsWith(`${this.present.id}.`);
  }
}

function keyOf(secret: string): SealingKey {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "tea-shop sealed secrets", 32));
  return { id: createHash("sha256").update(key).digest("hex").slice(0, 8), key };
}

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
