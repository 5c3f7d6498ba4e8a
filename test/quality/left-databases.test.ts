/** @check */

import { administrate, dropAllOf, nameInRun, query } from "../support/database";
import { serverUrl } from "../support/server-url";

const existing = async (): Promise<string[]> => {
  const all = await query<{ name: string }>(
    serverUrl(),
    "SELECT datname AS name FROM pg_database UNION ALL SELECT rolname FROM pg_roles",
  );
  return all.map(({ name }) => name);
};

test("databases and roles that a run leaves behind are dropped after it, another run's are not", async () => {
  const run = nameInRun();
  const [database, role, other] = [`${run}_1`, `${run}_Tea-2`, `${run}0_1`];
  await administrate(`CREATE ROLE "${role}"`);
  await administrate(`CREATE DATABASE ${database} OWNER "${role}" TEMPLATE template0`);
  await administrate(`CREATE DATABASE ${other} TEMPLATE template0`);
  expect(await existing()).toEqual(expect.arrayContaining([database, role, other]));

  await dropAllOf(run);

  const left = await existing();
  expect(left.filter((name) => name.startsWith(run))).toEqual([other]);
  await administrate(`DROP DATABASE ${other}`);
});
