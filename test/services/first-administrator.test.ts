import { Client } from "pg";
import { PasswordThreads } from "../../src/services/administrators/passwords";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { startApp, startReplica, type TestApp } from "../support/app";

let app: TestApp;
let replica: TestApp;
let holder: Client;
beforeAll(async () => {
  // A start must do with one connection.
  app = await startApp({ database: { poolSize: 1 } });
  replica = await startReplica(app);
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  // Every transaction waits, right after it has made an administrator, until it is released.
  await holder.query(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END';
    CREATE TRIGGER hold AFTER INSERT ON admins FOR EACH ROW EXECUTE FUNCTION hold()`);
});
beforeEach(() => app.sql("DELETE FROM admins"));
afterAll(async () => {
  await holder.end();
  await replica.close();
  await app.close();
});

const credentials = (name: string) => ({
  email: `${name}@example.com`,
  password: "the first of all",
});

const emails = () => app.sql("SELECT email FROM admins");

test.each([
  ["different addresses", "one", "other"],
  ["the same address", "one", "one"],
])("two first starts at once, of %s, make one administrator", async (_label, one, other) => {
  await holder.query("SELECT pg_advisory_lock(1)");
  const starts = [app.shop.services.accounts.ensureFirst(credentials(one))];
  await eventually(async () => (await waitingForLocks(app)) === 1);
  starts.push(replica.shop.services.accounts.ensureFirst(credentials(other)));
  await eventually(async () => (await waitingForLocks(app)) === 2);
  await holder.query("SELECT pg_advisory_unlock(1)");
  expect(await Promise.allSettled(starts)).toEqual([
    { status: "fulfilled", value: true },
    { status: "fulfilled", value: false },
  ]);
  expect(await emails()).toEqual([{ email: credentials(one).email }]);
});

test("where there is an administrator, even an inactive one, none is made, and no start waits for a hash", async () => {
  const { email } = await app.make.admin({ is_active: false });
  const hashes = jest.spyOn(PasswordThreads.prototype, "hash");
  expect(await app.shop.services.accounts.ensureFirst(credentials("first"))).toBe(false);
  expect(hashes).not.toHaveBeenCalled();
  hashes.mockRestore();
  expect(await emails()).toEqual([{ email }]);
});
