import type { Settings } from "../../src/config/settings";
import { hostsOf } from "../../src/vocabulary/text/connection-string";
import { PASSWORD } from "./factories";

/** Secrets that no log entry may contain, whatever the request was. */
const patterns: Record<string, RegExp> = {
  "a token": /\beyJ[\w-]+\.[\w-]+\.[\w-]+/,
  "a lookup of an order": /[0-9](?:\.|%(?:25)*2e)[\w-]{43}/i,
  "a password hash": /\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}/,
  "an e-mail address": /(?<!\*\*\*)(?:@|%40)[\w-]+\.[a-z]{2,}/i,
  "the password of a connection string": /postgres(?:ql)?:\/\/[^:@/\s"]*:(?!\*+@)[^@\s"]+@/,
};

/** The secrets in log entries, each with its entry. */
export function secretsIn(log: readonly string[], known: Record<string, string> = {}): string[] {
  return log.flatMap((entry) => [
    ...Object.entries(patterns)
      .filter(([, pattern]) => pattern.test(entry))
      .map(([what]) => `${what}: ${entry}`),
    ...Object.entries(known)
      .filter(([, secret]) => entry.includes(secret))
      .map(([what]) => `${what}: ${entry}`),
  ]);
}

/** Fails if the log of a service contains a secret, or an entry that is not a line of JSON. */
export function assertNoSecrets(log: readonly string[], settings: Settings): void {
  const [database = ""] = hostsOf(settings.database.url);
  const databasePassword = decodeURIComponent(new URL(database).password);
  const faults = [
    ...secretsIn(log, {
      "a password": PASSWORD,
      "the signing secret": settings.tokens.secret,
      "the secret for data": settings.data.secret,
      ...(databasePassword !== "" && { "the database's password": databasePassword }),
    }),
    ...log.filter((entry) => !isJsonLine(entry)).map((entry) => `no line of JSON: ${entry}`),
  ];
  if (faults.length > 0) throw new Error(`The log holds ${faults.join("\n")}`);
}

function isJsonLine(entry: string): boolean {
  if (entry.indexOf("\n") !== entry.length - 1) return false;
  try {
    JSON.parse(entry);
    return true;
  } catch {
    return false;
  }
}
