import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import type { Credentials, LocalSettings } from "../config/settings";
import { OperatorError } from "../vocabulary/errors";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import type { TeaShop } from "../app";
import { addressKey } from "../vocabulary/text/email-address";

const SECRET_LENGTH = 32;

const randomText = (bytes: number): string => randomBytes(bytes).toString("base64url");

export const signingSecretFile = (dataDir: string): string => path.join(dataDir, "jwt-secret");

/** The secret that signs access tokens: 64 characters, generated once for each data folder. */
export async function signingSecret(dataDir: string): Promise<string> {
  const file = signingSecretFile(dataDir);
  return atLeast(SECRET_LENGTH, await readOrCreate(file, () => randomText(48)), file);
}

/** The secret that an earlier start has generated; undefined if there is none. */
export async function storedSigningSecret(dataDir: string): Promise<string | undefined> {
  const file = signingSecretFile(dataDir);
  const text = await readIfPresent(file);
  return text === undefined ? undefined : atLeast(SECRET_LENGTH, text, file);
}

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
async function generatedAdministrator(dataDir: string): Promise<Credentials> {
  const file = administratorFile(dataDir);
  const text = await readOrCreate(file, () =>
    formatted({ email: "admin@tea-shop.local", password: randomText(15) }),
  );
  return parsed(text) ?? damaged(file);
}

/** The administrator that an earlier start generated; undefined if there is none. */
async function storedAdministrator(dataDir: string): Promise<Credentials | undefined> {
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

/**
 * Returns the content of a file in the data folder. If the file is missing, it is generated and written, completely
 * or not at all. If several processes do so at the same time, one of them wins. Only the owner can read the file
 * and the folder. The folder is created if it is missing.
 *
 * @throws OperatorError if this user can't read or write the file
 */
async function readOrCreate(file: string, generate: () => string): Promise<string> {
  await createDataFolder(path.dirname(file));
  try {
    const stored = await readIfPresent(file);
    if (stored !== undefined) return stored;
    await publish(file, generate());
    return await readFile(file, "utf8");
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "ENOTDIR"].includes(codeOf(error))) throw error;
    throw new OperatorError(
      `${file} can't be read or written by this user (${String(error)}); ` +
        "start as the user who owns the data folder, or set DATA_DIR to another one",
    );
  }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function createDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(path.dirname(dataDir), { recursive: true });
    await mkdir(dataDir, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw new OperatorError(
      `The data folder ${dataDir} can't be created (${String(error)}); set DATA_DIR to another one`,
    );
  }
}

async function publish(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never replaces a file that another process has created in the meantime.
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

/** What is known about how to log in. */
export interface Login {
  /** The administrator's address, if it is known. */
  readonly email: string | undefined;
  /** The administrator that this start or an earlier one generated, if the password is still the same. */
  readonly generated: Credentials | undefined;
  /** Whether an earlier start generated an administrator whose generated password is no longer valid. */
  readonly outdated: boolean;
  /** Whether this start created the administrator. */
  readonly created: boolean;
}

/** Creates an administrator if there is none: the one in the settings or, by default, a generated one. */
export async function ensureAdministrator(
  { services: { accounts } }: TeaShop,
  { firstAdmin, dataDir }: Pick<LocalSettings, "firstAdmin" | "dataDir">,
): Promise<Login> {
  const existing = await accounts.list();
  if (existing.length === 0) {
    const generated = firstAdmin ? undefined : await generatedAdministrator(dataDir);
    const credentials = firstAdmin ?? generated;
    const created = credentials !== undefined && (await accounts.ensureFirst(credentials));
    return { email: credentials?.email, generated, outdated: false, created };
  }
  const stored = await storedAdministrator(dataDir);
  const generated = stored && (await accounts.accept(stored)) ? stored : undefined;
  const known = [firstAdmin?.email, stored?.email].map((email = "") => addressKey(email));
  const named = existing.find(
    ({ email, isActive }) => isActive && known.includes(addressKey(email)),
  );
  const outdated = stored !== undefined && generated === undefined;
  return { email: named?.email, generated, outdated, created: false };
}
