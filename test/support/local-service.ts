import { mkdtemp, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedDatabase } from "../../src/local/embedded-database";
import { startProcess, type TestProcess } from "./process";

const ENTRY = path.join(__dirname, "../../dist/local/main.js");

/** A service that was started like `npm start` does it. */
export interface LocalService extends TestProcess {
  /** Base address. If the process ends first, rejects with its output. */
  readonly listening: Promise<string>;
}

/** An empty folder for data, by its real name: macOS has a link to its folder for temporary files. */
export const newDataDir = async (): Promise<string> =>
  realpath(await mkdtemp(path.join(tmpdir(), "tea-shop-local-")));

/** Stops the database that a test may have left running, and deletes its folder. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await (await startEmbeddedDatabase({ dataDir, durable: false })).remove();
}

/** Starts a service with these settings alone. */
export function startLocalService(
  dataDir: string,
  settings: Record<string, string> = {},
): LocalService {
  const child = startProcess([ENTRY], {
    cwd: dataDir,
    inTerminal: true,
    env: { DATA_DIR: dataDir, PORT: "0", BCRYPT_COST: "4", ...settings },
  });
  const listening = child.prints(/REST +(http\S+)[^]*Stop +Ctrl-C/).then(([match]) => match![1]!);
  // Cases that expect a refusal look only at the end of the process.
  listening.catch(() => undefined);
  return { ...child, listening };
}

/** The process id of a folder's database server; undefined if the server was shut down properly. */
export async function databaseProcess(dataDir: string): Promise<number | undefined> {
  const lock = await readFile(path.join(dataDir, "postgres/postmaster.pid"), "utf8").catch(
    () => undefined,
  );
  return lock === undefined ? undefined : parseInt(lock, 10);
}

/** Logs in with the credentials in the data folder. */
export async function login(address: string, dataDir: string): Promise<Response> {
  return fetch(`${address}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: await readFile(path.join(dataDir, "administrator.json"), "utf8"),
  });
}
