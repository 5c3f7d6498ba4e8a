/** @check */

import { Migrator } from "../../src/database/migrations/migrator";
import { dataOf } from "../graphql/client";
import { dataOfCustomer, erase } from "../record/customers";
import { startApp, type TestApp } from "../support/app";
import { createEmptyDatabase, query, type TestDatabase } from "../support/database";
import { PASSWORD } from "../support/factories";
import { send, sendJson } from "../support/raw-http";
import { serverUrl } from "../support/server-url";

jest.setTimeout(60_000);

/** Ends of CREATE DATABASE, and the first version of PostgreSQL that knows the provider. */
const locales: [name: string, options: string, version: number][] = [
  ["C of the system", "LOCALE_PROVIDER libc LOCALE 'C'", 15],
  ["C.UTF-8 of the system", "LOCALE_PROVIDER libc LOCALE 'C.UTF-8'", 15],
  ["Turkish of ICU", "LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'", 15],
  ["German of ICU", "LOCALE_PROVIDER icu ICU_LOCALE 'de-DE' LOCALE 'C'", 15],
  ["the root of ICU", "LOCALE_PROVIDER icu ICU_LOCALE 'und' LOCALE 'C'", 15],
  ["C.UTF-8 of PostgreSQL", "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'", 17],
  ["PG_UNICODE_FAST", "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'PG_UNICODE_FAST' LOCALE 'C'", 18],
];

const serverVersion = async (): Promise<number> => {
  const [row] = await query<{ version: number }>(
    serverUrl(),
    "SELECT current_setting('server_version_num')::integer / 10000 AS version",
  );
  return row!.version;
};

/** The same address, as only letters from A to Z differ. */
const same: [string, string][] = [
  ["ada.lovelace", "ADA.Lovelace"],
  ["iI", "Ii"],
  ["İi", "İI"],
  ["ßkå", "ßKå"],
  ["k", "\u212a"], // the sign of Kelvin: in NFC it is the letter
];

/** Other addresses, though some locale folds their letters into the same. */
const others: [string, string][] = [
  ["i", "\u0130"], // capital I with a dot
  ["i", "\u0131"], // small i without one
  ["I", "\u0131"],
  ["ss", "\u00df"], // sharp s
  ["\u00df", "\u1e9e"], // and its capital
  ["\u00e5", "\u00c5"], // a with a ring
  ["\u00e5", "\u212b"], // the sign of the Ångström
  ["\u00e9", "\u00c9"],
  ["\u03c3", "\u03c2"], // sigma, and at the end of a word
  ["\u0430", "\u0410"], // Cyrillic
  ["\uff41", "\uff21"], // full width
  ["a", "\uff41"],
  ["fi", "\ufb01"], // a ligature
];

const mutate = (app: TestApp, field: string, email: string): Promise<Record<string, boolean>> =>
  dataOf(app, `mutation ($email: String!) { ${field}(email: $email) }`, { email });

/** Whether login, the list of orders, the newsletter and an erasure take two addresses for one. */
async function sameness(app: TestApp, one: string, other: string): Promise<boolean[]> {
  await app.make.admin({ email: one });
  const credentials = JSON.stringify({ email: other, password: PASSWORD });
  const login = await sendJson(app.url, "POST", "/auth/login", credentials);
  await app.make.order({ customer_email: one });
  const orders = await send(app.url, {
    method: "GET",
    path: `/orders?customerEmail=${encodeURIComponent(other)}`,
    headers: { authorization: app.asAdmin },
  });
  await mutate(app, "subscribeToNewsletter", one);
  const ended = await mutate(app, "unsubscribeFromNewsletter", other);
  await mutate(app, "subscribeToNewsletter", other);
  const subscribers = await app.sql("DELETE FROM newsletter_subscribers RETURNING id");
  return [
    login.status === 200,
    (orders.body as { meta: { total: number } }).meta.total === 1,
    ended.unsubscribeFromNewsletter === true,
    subscribers.length === 1,
    (await erase(app, other)).orders === 1,
    (await dataOfCustomer(app, one)).auditEntries === 0,
  ];
}

let database: TestDatabase | undefined;
let app: TestApp | undefined;

afterEach(async () => {
  await app?.close();
  await database?.drop();
  [app, database] = [undefined, undefined];
});

test.each(locales)("letter case of a to z is ignored: %s", async (_name, options, version) => {
  const isKnown = (await serverVersion()) >= version;
  database = await createEmptyDatabase({ options: `ENCODING 'UTF8' ${options}` }).catch(
    (error: unknown) => {
      // An older server knows no such provider, and not every system a locale beside C.
      const expected = isKnown ? /^invalid .*locale name: "C\.UTF-8"/ : /provider|option/;
      if (expected.test((error as Error).message)) return undefined;
      throw error;
    },
  );
  if (!database) return;
  await new Migrator({ databaseUrl: database.url }).up();
  app = await startApp({ database: { url: database.url } });
  for (const [pairs, expected] of [
    [same, true],
    [others, false],
  ] as const) {
    for (const [index, [one, other]] of pairs.entries()) {
      const address = (part: string): string =>
        `${expected ? "s" : "o"}${index}${part}@example.com`;
      const seen = await sameness(app, address(one), address(other));
      expect([one, other, seen]).toEqual([one, other, Array(6).fill(expected)]);
    }
  }
});
