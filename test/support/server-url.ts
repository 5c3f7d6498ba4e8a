import { tmpdir } from "node:os";
import path from "node:path";

/** The variable in which the global set-up tells the workers the name of the run. */
export const RUN_VARIABLE = "TEA_SHOP_TEST_RUN";

/** The variable in which the global set-up tells the workers the address of the test server. */
export const SERVER_URL_VARIABLE = "TEA_SHOP_TEST_SERVER_URL";

/** A connection string of the PostgreSQL server for the tests. */
export const serverUrl = (): string => left(SERVER_URL_VARIABLE);

/** The beginning of the names of all databases and roles of this run: two runs can share a server. */
export const runName = (): string => left(RUN_VARIABLE);

/** The migrated and empty database of which each test file gets a clone. */
export const templateName = (): string => `${runName()}_template`;

/** A file with the reason, if this run has skipped the browser tests. */
export const skippedBrowserTests = (): string => path.join(tmpdir(), `${runName()}_browser`);

function left(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error("The global set-up has not started a server");
  return value;
}
