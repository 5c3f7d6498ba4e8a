import { environment, program, ROOT } from "./program.mjs";

/** Runs a command of `npm run tea` on a database; resolves with what it prints. */
export const tea = (databaseUrl, ...args) =>
  program(process.execPath, ["dist/cli/main.js", ...args], {
    cwd: ROOT,
    env: { ...environment(), DATABASE_URL: databaseUrl },
  });
