import path from "node:path";
import { startProcess, type TestProcess } from "../support/process";

const TEA = path.join(__dirname, "../../dist/cli/main.js");

/** Starts `tea dispatch` with the settings of `startService`, without waiting for it. */
export const spawnDispatcher = (
  databaseUrl: string,
  settings: Record<string, string> = {},
): TestProcess =>
  startProcess([TEA, "dispatch"], {
    env: {
      DATABASE_URL: databaseUrl,
      JWT_SECRET: "of this test and of nothing else, long",
      WEBHOOK_PRIVATE_ADDRESSES: "loopback",
      ...settings,
    },
  });

/** Starts `tea dispatch`, and resolves when it sends webhooks. */
export async function startDispatcher(
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<TestProcess> {
  const child = spawnDispatcher(databaseUrl, settings);
  await child.prints(/"msg":"dispatching"/);
  return child;
}
