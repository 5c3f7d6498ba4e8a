import { randomBytes } from "node:crypto";
import path from "node:path";
import type { Credentials } from "../config/settings";
import { OperatorError } from "../vocabulary/errors";
import { readOrCreate, readIfPresent } from "./kept-file";

/** The fewest characters of a signing secret. */
const SECRET_LENGTH = 32;

const randomText = (bytes: number): string => randomBytes(bytes).toString("base64url");

/** The file of {@link signingSecret}. */
export const signingSecretFile = (dataDir: string): string => path.join(dataDir, "jwt-secret");

/** The secret that signs access tokens: 64 characters, generated once for each data folder. */
export async function signingSecret(dataDir: string): Promise<string> {
  const file = signingSecretFile(dataDir);
  return atLeast(SECRET_LENGTH, await readOrCreate(file, () => randomText(48)), file);
}

/** The secret that an earlier start has generated; undefined if there is none. */
export async function keptSigningSecret(dataDir: string): Promise<string | undefined> {
  const file = signingSecretFile(dataDir);
  const text = await readIfPresent(file);
  return text === undefined ? undefined : atLeast(SECRET_LENGTH, text, file);
}

/** The file of {@link databasePassword}. */
export const databasePasswordFile = (dataDir: string): string =>
  path.join(dataDir, "postgres-password");

/** The password of the embedded database's superuser, generated once. */
export async function databasePassword(dataDir: string): Promise<string> {
  const file = databasePasswordFile(dataDir);
  return atLeast(1, await readOrCreate(file, () => randomText(24)), file);
}

/** The password of the role that the service connects as, generated once. */
export async function servicePassword(dataDir: string): Promise<string> {
  const file = path.join(dataDir, "database-password");
  return atLeast(1, await readOrCreate(file, () => randomText(24)), file);
}

/** The file of {@link generatedAdministrator}: the credentials as the JSON body of a login. */
export const administratorFile = (dataDir: string): string =>
  path.join(dataDir, "administrator.json");

/** The first administrator for settings that name none; generated once. */
export async function generatedAdministrator(dataDir: string): Promise<Credentials> {
  const file = administratorFile(dataDir);
  const text = await readOrCreate(file, () =>
    formatted({ email: "admin@tea-shop.local", password: randomText(15) }),
  );
  return parsed(text) ?? damaged(file);
}

/** The administrator that an earlier start generated; undefined if there is none. */
export async function keptAdministrator(dataDir: string): Promise<Credentials | undefined> {
  const text = await readIfPresent(administratorFile(dataDir));
  return text === undefined ? undefined : parsed(text);
}

const formatted = (credentials: Credentials): string => `${JSON.stringify(credentials)}\n`;

function parsed(text: string): Credentials | undefined {
  try {
    const { email, password } = JSON.parse(text) as Partial<Credentials>;
    return typeof email === "string" && typeof password === "string"
      ? { email, password }
      : undefined;
  } catch {
    return undefined;
  }
}

function atLeast(length: number, text: string, file: string): string {
  const secret = text.trim();
  return secret.length < length ? damaged(file) : secret;
}

function damaged(file: string): never {
  throw new OperatorError(
    `${file} is damaged; put the right one back, or move the data folder away`,
  );
}
