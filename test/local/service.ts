import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbeddedDatabase } from "../../src/local/embedded-database";

const ENTRY = path.join(__dirname, "../../dist/local/main.js");

/** A service that was started as `npm start` does. */
export interface Service {
  /** Base address; rejects with what was printed where the process ends first. */
  readonly listening: Promise<string>;
  /** How the process ended. */
  readonly ended: Promise<{ code: number | null; printed: string }>;
  /** Signals the whole process group, as a terminal does on Ctrl-C; nothing where it has ended. */
  signal(signal: NodeJS.Signals): void;
}

/** An empty folder for data. */
export const newDataDir = (): Promise<string> => mkdtemp(path.join(tmpdir(), "tea-shop-local-"));

/** Stops whatever database a test has left running, and deletes its folder. */
export async function removeDataDir(dataDir: string): Promise<void> {
  await (await startEmbeddedDatabase({ dataDir, durable: false })).remove();
}

/** Starts a service with these settings alone. */
export function startService(dataDir: string, settings: Record<string, string> = {}): Service {
  const child = spawn(process.execPath, [ENTRY], {
    cwd: dataDir,
    detached: true,
    env: { DATA_DIR: dataDir, PORT: "0", BCRYPT_COST: "4", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, printed }));
  const listening = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const address = /REST +(http\S+)[^]*Stop +Ctrl-C/.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void ended.then(() => reject(new Error(`The service ended:\n${printed}`)));
  });
  // Cases that expect a refusal look at the end alone.
  listening.catch(() => undefined);
  const signal = (name: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, name);
  };
  return { listening, ended, signal };
}

/** The process number of the database server of a folder; undefined: it was stopped in order. */
export async function databaseProcess(dataDir: string): Promise<number | undefined> {
  const lock = await readFile(path.join(dataDir, "postgres/postmaster.pid"), "utf8").catch(
    () => undefined,
  );
  return lock === undefined ? undefined : parseInt(lock, 10);
}

/** Logs in with what the data folder keeps. */
export async function login(address: string, dataDir: string): Promise<Response> {
  return fetch(`${address}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: await readFile(path.join(dataDir, "administrator.json"), "utf8"),
  });
}
