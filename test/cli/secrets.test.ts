import { Webhook } from "standardwebhooks";
import { storedSigningSecret } from "../../src/local/secrets";
import { leftBy } from "../record/entries";
import { sessionOf } from "../record/customers";
import { startApp, startReplica, type TestApp } from "../support/app";
import { dumpOf } from "../support/dump";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { makeEndpoint, rotateSecret, sendTest, type Endpoint } from "../webhooks/endpoint";
import { codeOf, login, withCodes } from "../security/factors";
import { closeReceivers, startReceiver, type Receiver } from "../webhooks/receiver";
import { useFolder } from "./folder";
import { failed, tea, type Outcome } from "./terminal";

const PRESENT = "the present secret for data, and of nothing else";
const LOST = "a secret for data that nobody has any more";

let app: TestApp;
let receiver: Receiver;
const folder = useFolder();
beforeEach(async () => {
  app = await startApp();
  receiver = await startReceiver();
});
afterEach(async () => {
  await closeReceivers();
  await app.close();
});

/** Runs `tea secrets` beside a service that has been told another secret for data, and the one before. */
const secrets = (command: string, environment: Record<string, string> = {}): Promise<Outcome> =>
  tea(`secrets ${command}`, {
    environment: {
      DATABASE_URL: app.database.url,
      JWT_SECRET: app.settings.tokens.secret,
      DATA_SECRET: PRESENT,
      ...environment,
    },
  });

/** What a service signs that knows the present secret for data, and the given ones before it. */
async function signedAfterwards(
  endpoint: Endpoint,
  previousSecrets: readonly string[] = [],
): Promise<Receiver["requests"][number]> {
  const data = { secret: PRESENT, previousSecrets };
  const dispatching = await startReplica(app, {
    data,
    webhooks: { privateAddresses: "loopback" },
  });
  try {
    const before = receiver.requests.length;
    dispatching.shop.startDispatching();
    await sendTest(app, endpoint);
    return await eventually(() => receiver.requests[before]);
  } finally {
    await dispatching.close();
  }
}

type Request = Receiver["requests"][number];
const verified = (secret: string, { body, headers }: Request): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** An endpoint whose secrets are sealed with a key that is lost. */
async function makeLost(): Promise<Endpoint> {
  const replica = await startReplica(app, { data: { secret: LOST, previousSecrets: [] } });
  try {
    return await makeEndpoint(replica, receiver.url);
  } finally {
    await replica.close();
  }
}

test("without the previous secret, all that was encrypted is read as before", async () => {
  const endpoint = await makeEndpoint(app, receiver.url);
  const newer = await rotateSecret(app, endpoint);
  const other = await makeEndpoint(app, receiver.url);
  expect(await secrets("renew")).toEqual({
    exitCode: 0,
    stdout: "Renewed 3 secrets; 0 were current\n",
    stderr: "",
  });
  const sent = await signedAfterwards(endpoint);
  for (const secret of [newer, endpoint.secret]) verified(secret, sent);
  verified(other.secret, await signedAfterwards(other));
});

test("so are one-time codes", async () => {
  const { email, secret } = await withCodes(app);
  expect(await secrets("renew")).toMatchObject({ stdout: "Renewed 1 secret; 0 were current\n" });
  const replica = await startReplica(app, { data: { secret: PRESENT, previousSecrets: [] } });
  expect(await login(replica, { email, code: codeOf(secret) })).toBe("in");
  await replica.close();
});

test("a second run changes nothing", async () => {
  await makeEndpoint(app, receiver.url);
  await secrets("renew");
  const before = await dumpOf(app);
  expect(await secrets("renew")).toEqual({
    exitCode: 0,
    stdout: "Renewed 0 secrets; 1 was current\n",
    stderr: "",
  });
  expect(await dumpOf(app)).toEqual(before);
});

describe("a secret that no key opens", () => {
  test("is named with what to do, and keeps no other from being renewed", async () => {
    const first = await makeEndpoint(app, receiver.url);
    const lost = await makeLost();
    const last = await makeEndpoint(app, receiver.url);
    const { exitCode, stdout, stderr } = await secrets("renew");
    expect([exitCode, stdout]).toEqual([1, "Renewed 2 secrets; 0 were current\n"]);
    expect(stderr).toBe(
      `error: The secrets of 1 row can't be decrypted: webhook endpoint ${lost.id}. ` +
        "They were encrypted under another DATA_SECRET: add that to DATA_PREVIOUS_SECRETS. " +
        "If there was none then, add the JWT_SECRET of then to JWT_PREVIOUS_SECRETS. " +
        "If it is lost, run: npm run tea -- secrets renew --replace-lost\n",
    );
    for (const each of [first, last]) verified(each.secret, await signedAfterwards(each));
    verified(lost.secret, await signedAfterwards(lost, [LOST]));
    const found = await secrets("renew", { DATA_PREVIOUS_SECRETS: LOST });
    expect(found).toMatchObject({ exitCode: 0, stdout: "Renewed 1 secret; 2 were current\n" });
    verified(lost.secret, await signedAfterwards(lost));
  });

  test("is replaced if wanted, which the audit log tells, and then by one that somebody knows", async () => {
    const kept = await makeEndpoint(app, receiver.url);
    const lost = await makeLost();
    const { left, result } = await leftBy(app, () => secrets("renew --replace-lost"));
    expect(result).toEqual({
      exitCode: 0,
      stdout: `Renewed 1 secret; 0 were current\nReplaced what no key opened, of webhook endpoint ${lost.id}\n`,
      stderr: "",
    });
    expect(left).toMatchObject([
      {
        ...{ door: "COMMAND_LINE", operation: "secrets renew" },
        ...{ subject: "WEBHOOK_ENDPOINT", subjectId: lost.id },
        changes: [{ field: "rotatedAt", before: null, after: expect.any(String) }],
      },
    ]);
    verified(kept.secret, await signedAfterwards(kept));
    const sent = await signedAfterwards(lost);
    expect(() => verified(lost.secret, sent)).toThrow("No matching signature found");
    const replica = await startReplica(app, { data: { secret: PRESENT, previousSecrets: [] } });
    const secret = await rotateSecret(replica, lost);
    await replica.close();
    verified(secret, await signedAfterwards(lost));
  });

  test("does not sign beside the one of a rotation", async () => {
    const lost = await makeLost();
    const secret = await rotateSecret(app, lost);
    expect(await secrets("renew")).toMatchObject({ exitCode: 0 });
    verified(secret, await signedAfterwards(lost));
  });
});

describe("beside a rotation", () => {
  test("loses none that comes later", async () => {
    const first = await makeEndpoint(app, receiver.url);
    const second = await makeEndpoint(app, receiver.url);
    const { secret } = app.settings.data;
    const rotating = await startReplica(app, {
      data: { secret: PRESENT, previousSecrets: [secret] },
    });
    const beside = await sessionOf(app);
    try {
      await beside.query("BEGIN");
      await beside.query("UPDATE webhook_endpoints SET description = 'x' WHERE id = $1", [
        second.id,
      ]);
      // It has the first row then, and waits for the second.
      const renewing = secrets("renew");
      await eventually(async () => (await waitingForLocks(app)) === 1);
      const rotated = rotateSecret(rotating, first);
      await eventually(async () => (await waitingForLocks(app)) === 2);
      await beside.query("COMMIT");
      expect((await renewing).stdout).toBe("Renewed 2 secrets; 0 were current\n");
      const sent = await rotated.then(() => signedAfterwards(first));
      for (const each of [await rotated, first.secret]) verified(each, sent);
    } finally {
      await beside.end();
      await rotating.close();
    }
  });
});

test("refuses to guess the secrets of the service", async () => {
  await makeEndpoint(app, receiver.url);
  const before = await dumpOf(app);
  const environment = { JWT_SECRET: "", DATA_SECRET: "", DATA_DIR: folder.path("nothing") };
  expect(await secrets("renew", environment)).toEqual(
    failed("error: JWT_SECRET is required: give the command the settings of the service\n"),
  );
  expect(await storedSigningSecret(environment.DATA_DIR)).toBeUndefined();
  expect(await dumpOf(app)).toEqual(before);
});
