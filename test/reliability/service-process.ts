import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";

const ENTRY = path.join(__dirname, "../../dist/main.js");

/** The built service as a process of its own. */
export interface ServiceProcess {
  readonly pid: number;
  /** Base address. */
  readonly url: string;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** What it has logged so far. */
  log(): string;
  /** Resolves when the log has said this so many times. */
  says(text: string, times?: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/** Starts the production entry and resolves when it listens. */
export async function startProcess(
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<ServiceProcess> {
  const port = settings.PORT ?? String(await freePort());
  const child = spawn(process.execPath, [ENTRY], {
    env: {
      HOST: "127.0.0.1",
      PORT: port,
      DATABASE_URL: databaseUrl,
      JWT_SECRET: "of this test and of nothing else, long",
      ORDER_RATE_LIMIT: "0",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      child.emit("log");
    });
  }
  const ended = once(child, "exit").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  const says = async (text: string, times = 1): Promise<void> => {
    while (log.split(text).length <= times) {
      const end = await Promise.race([once(child, "log"), ended]);
      if (!Array.isArray(end)) throw new Error(`The service ended before "${text}":\n${log}`);
    }
  };
  await says('"listening"', Number(settings.WEB_CONCURRENCY ?? 1));
  return {
    pid: child.pid!,
    url: `http://127.0.0.1:${port}`,
    ended,
    log: () => log,
    says,
    signal: (name) => void child.kill(name),
  };
}

/** A port that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
