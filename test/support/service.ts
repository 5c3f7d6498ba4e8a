import path from "node:path";
import { builtRelease } from "./built-release";
import { parsedLog } from "./log-lines";
import { startProcess, type TestProcess } from "./process";

const ENTRY = path.join(__dirname, "../../dist/main.js");

/** A log entry about the service itself, with the members that tests look at. */
interface LogEntry {
  readonly level: string;
  readonly msg: string;
  readonly pid?: number;
  readonly worker?: number;
  readonly address?: string;
}

/** The built service, started as in production in a process of its own. */
export interface Service extends TestProcess {
  /** Base address. */
  readonly url: string;
  /** Resolves with the entries of a message as soon as the message has been logged so many times. */
  logs(message: string, times?: number): Promise<LogEntry[]>;
}

/** Starts the service on any free port, without waiting for it. */
export const spawnService = (
  databaseUrl: string,
  settings: Record<string, string> = {},
  entry = ENTRY,
): TestProcess =>
  startProcess([entry], {
    env: {
      HOST: "127.0.0.1",
      PORT: "0",
      DATABASE_URL: databaseUrl,
      JWT_SECRET: "of this test and of nothing else, long",
      ORDER_RATE_LIMIT: "0",
      ...settings,
    },
  });

/**
 * Starts the service on any free port and resolves when all its workers listen.
 *
 * @throws Error with its output, if it ends before
 */
export async function startService(
  databaseUrl: string,
  settings: Record<string, string> = {},
  entry = ENTRY,
): Promise<Service> {
  const child = spawnService(databaseUrl, settings, entry);
  const logs = async (message: string, times?: number): Promise<LogEntry[]> => {
    const lines = await child.prints(new RegExp(`^.*"msg":"${message}".*\n`, "m"), times);
    return lines.map(([line]) => JSON.parse(line) as LogEntry);
  };
  const [first] = await logs("listening", Number(settings.WEB_CONCURRENCY ?? 1));
  return { ...child, url: first!.address!, logs };
}

/** Expects the log to begin with the started release, and to say it only once, however many processes run. */
export function expectFirstLine(service: Service): void {
  const lines = parsedLog(service.printed("stdout").trim().split("\n"));
  expect(lines[0]).toEqual({
    level: "info",
    time: expect.any(String),
    msg: "starting",
    node: process.version,
    ...builtRelease(),
  });
  expect(lines.filter(({ msg }) => msg === "starting")).toHaveLength(1);
}
