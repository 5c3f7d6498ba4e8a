import { Client } from "pg";
import { useApp } from "../support/app";
import { eventually } from "../support/eventually";
import { send } from "../support/raw-http";
import { tokenFor } from "../support/tokens";

const app = useApp();

type Query = (this: Client, ...given: unknown[]) => unknown;

/** Holds back the first answer of the database that has an account, while `work` runs. */
async function whileAnAccountIsRead(
  work: (release: () => void, isRead: () => boolean) => Promise<void>,
): Promise<void> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isRead = false;
  const spy = jest.spyOn(Client.prototype, "query");
  const query = spy.getMockImplementation() as unknown as Query;
  spy.mockImplementation(function (this: Client, ...given: unknown[]) {
    const [statement, answer] = given as [{ name?: string }, (...result: unknown[]) => void];
    if (isRead || statement.name !== "accounts and sessions by id") return query.apply(this, given);
    return query.call(this, statement, (...result: unknown[]) => {
      isRead = true;
      void released.then(() => answer(...result));
    });
  });
  try {
    await work(release, () => isRead);
  } finally {
    release();
    spy.mockRestore();
  }
}

test("an account that is deactivated is refused by the next request, whatever others wait for", async () => {
  const admin = await app.make.admin();
  const authorization = `Bearer ${tokenFor(admin, app.settings.tokens.secret)}`;
  const ask = () => send(app.url, { method: "GET", path: "/orders", headers: { authorization } });
  await whileAnAccountIsRead(async (release, isRead) => {
    const before = ask();
    await eventually(() => isRead());
    await app.sql("UPDATE admins SET is_active = false WHERE id = $1", [admin.id]);
    const after = await ask();
    release();
    expect([after.status, (await before).status]).toEqual([401, 200]);
  });
});

test("requests of several accounts at once are each answered as their own account", async () => {
  const [one, other, gone] = [
    await app.make.admin(),
    await app.make.admin(),
    await app.make.admin({ is_active: false }),
  ];
  const of = (admin: typeof one) => `Bearer ${tokenFor(admin, app.settings.tokens.secret)}`;
  const tokens = Array.from({ length: 12 }, (_, index) => of([one, other, gone][index % 3]!));
  const answers = await Promise.all(
    tokens.map((authorization) =>
      send(app.url, { method: "GET", path: "/orders", headers: { authorization } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(
    tokens.map((_, index) => [200, 200, 401][index % 3]),
  );
});
