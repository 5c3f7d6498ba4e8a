/** Where the global set-up leaves the name of the run for the workers. */
export const RUN_VARIABLE = "TEA_SHOP_TEST_RUN";

/** Where the global set-up leaves the address of the test server for the workers. */
export const SERVER_URL_VARIABLE = "TEA_SHOP_TEST_SERVER_URL";

/** A connection string of the PostgreSQL server that the tests run on. */
export const serverUrl = (): string => left(SERVER_URL_VARIABLE);

/** What the names of all databases and roles of this run begin with: two runs can share a server. */
export const runName = (): string => left(RUN_VARIABLE);

/** The migrated and empty database that every test file's own is a clone of. */
export const templateName = (): string => `${runName()}_template`;

function left(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error("The global set-up has not started a server");
  return value;
}
