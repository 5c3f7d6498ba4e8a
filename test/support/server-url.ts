/** Where the global set-up leaves the address of the test server for the workers. */
export const SERVER_URL_VARIABLE = "TEA_SHOP_TEST_SERVER_URL";

/** A connection string of the PostgreSQL server that the tests run on. */
export function serverUrl(): string {
  const url = process.env[SERVER_URL_VARIABLE];
  if (url === undefined) throw new Error("The global set-up has not started a server");
  return url;
}
