import { randomUUID } from "node:crypto";
import { administrate, type TestDatabase } from "./database";
import { serverUrl } from "./server-url";

/**
 * A database without any table that is not as others are. `options` is the end of CREATE DATABASE, such as
 * `ENCODING 'LATIN1' LOCALE 'C'`; `defaults` are settings that its sessions begin with.
 */
export async function createOddDatabase({
  options = "",
  defaults = {},
}: {
  options?: string;
  defaults?: Readonly<Record<string, string>>;
}): Promise<TestDatabase> {
  const name = `tea_shop_test_${randomUUID().replaceAll("-", "")}`;
  await administrate(`CREATE DATABASE ${name} TEMPLATE template0 ${options}`);
  for (const [setting, value] of Object.entries(defaults)) {
    await administrate(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
  }
  const url = new URL(serverUrl());
  url.pathname = name;
  return {
    url: url.href,
    drop: () => administrate(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
