import { startApp, startReplica, useApp, type TestApp } from "../support/app";
import { Authenticator, type Deviation, type Options } from "../support/authenticator";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import {
  ask,
  CONFIRM_PASSKEY,
  login,
  ORIGIN,
  passkeyLogin,
  passkeyOptions,
  REFUSED,
  signedIn,
  START_PASSKEY,
  told,
  withPasskey,
} from "./factors";

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startApp({ publicOrigin: ORIGIN });
  replica = await startReplica(app);
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

interface Listed {
  readonly passkeys: readonly { id: string; name: string; lastUsedAt: string | null }[];
}
const listed = async (authorization: string): Promise<Listed["passkeys"]> => {
  const field = "secondFactors { passkeys { id name lastUsedAt } }";
  return (await told<Listed>(app, ["query", field], {}, authorization)).passkeys;
};

graphqlClause("10.passkeys", "an authenticator makes a passkey, which signs in alone", async () => {
  const member = await signedIn(app);
  const { authorization } = member;
  const options = await told<object>(app, START_PASSKEY, {}, authorization);
  expect(options).toMatchObject({
    ...{ rp: { id: "tea.example" }, user: { name: member.email }, attestation: "none" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const { authenticator, passkeyId } = await withPasskey(app, member);
  expect(await listed(authorization)).toEqual([{ id: passkeyId, name: "Phone", lastUsedAt: null }]);
  const asked = await passkeyOptions(app);
  expect(asked).toMatchObject({ rpId: "tea.example", userVerification: "required" });
  expect(await passkeyLogin(app, authenticator.get(asked))).toBe("in");
  const [used] = await listed(authorization);
  expect(used?.lastUsedAt).toEqual(expect.any(String));
});

graphqlClause(
  "10.passkeys",
  "one takes the place of a code, and a password alone is nothing",
  async () => {
    const { email, authenticator } = await withPasskey(app);
    expect(await login(app, { email })).toBe(REFUSED);
    const passkey = authenticator.get(await passkeyOptions(app));
    expect(await login(app, { email, password: "wrong", passkey })).toBe(REFUSED);
    expect(await login(app, { email, passkey })).toBe("in");
    const others = await withPasskey(app);
    const foreign = others.authenticator.get(await passkeyOptions(app));
    expect(await login(app, { email, passkey: foreign })).toBe(REFUSED);
  },
);

graphqlClause("10.passkeys", "several have names, and each is ended by itself", async () => {
  const first = await withPasskey(app);
  const { authorization } = first;
  const second = await withPasskey(app, first);
  expect((await listed(authorization)).map(({ id }) => id)).toEqual([
    ...[first.passkeyId, second.passkeyId],
  ]);
  const END = ["mutation", "endPasskey(id: $id)", "$id: ID!"] as const;
  const stranger = await signedIn(app);
  const id = first.passkeyId;
  expect(await told(app, END, { id }, stranger.authorization)).toBe(false);
  expect(await told(app, END, { id: "7" }, authorization)).toBe(false);
  expect(await told(app, END, { id }, authorization)).toBe(true);
  expect(await told(app, END, { id }, authorization)).toBe(false);
  const answer = first.authenticator.get(await passkeyOptions(app));
  expect(await passkeyLogin(app, answer)).toBe(REFUSED);
});

graphqlClause("10.passkeys", "there are at most 20, and each is stored once", async () => {
  const { id, authorization, authenticator } = await withPasskey(app);
  const confirm = async (): Promise<string | undefined> => {
    const options = await told<Options>(app, START_PASSKEY, {}, authorization);
    const variables = { name: "Again", response: authenticator.create(options) };
    return (await ask(app, CONFIRM_PASSKEY, variables, authorization)).refusal?.[0];
  };
  expect(await confirm()).toBe("CONFLICT");
  await app.sql(
    `INSERT INTO passkeys (admin_id, credential_id, public_key, counter, name)
     SELECT $1, int4send(n), '', 0, 'Key ' || n FROM generate_series(1, 19) AS n`,
    [id],
  );
  expect(await confirm()).toBe("BAD_USER_INPUT");
});

const deviations: Record<string, Deviation> = {
  "another origin": { origin: "https://tee.example" },
  "a challenge of its own": { challenge: "AAAA" },
  "no verified user": { verified: false },
  "another ceremony": { type: "webauthn.create" },
};

graphqlClauseEach(
  "10.passkeys.refused",
  "a signature is refused with",
  deviations,
  async (deviation) => {
    const { authenticator } = await withPasskey(app);
    const answer = authenticator.get(await passkeyOptions(app), deviation);
    expect(await passkeyLogin(app, answer)).toBe(REFUSED);
  },
);

graphqlClause("10.passkeys.refused", "so is a counter that does not count", async () => {
  const { authenticator } = await withPasskey(app);
  const signIn = async (counter: number) =>
    passkeyLogin(app, authenticator.get(await passkeyOptions(app), { counter }));
  expect(await signIn(7)).toBe("in");
  expect(await signIn(7)).toBe(REFUSED);
  expect(await signIn(0)).toBe(REFUSED);
  expect(await signIn(8)).toBe("in");
});

const malformed: Record<string, unknown> = {
  ...{ "a text": "passkey", "a list": [[]], nothing: null, "an empty object": {} },
  "texts that are no base64url": { id: "é", rawId: "é", type: "public-key", response: {} },
  "no JSON": {
    ...{ id: "AAAA", rawId: "AAAA", type: "public-key" },
    response: { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA" },
  },
  "too long a text": {
    ...{ id: "A".repeat(2_000), rawId: "A".repeat(2_000), type: "public-key" },
    response: { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA" },
  },
};

graphqlClauseEach(
  "10.passkeys.refused",
  "what is malformed is refused",
  malformed,
  async (response) => {
    const { email, authorization } = await withPasskey(app);
    if (response !== null) {
      expect(await passkeyLogin(app, response)).toBe(REFUSED);
      const variables = { name: "Phone", response };
      const { refusal } = await ask(app, CONFIRM_PASSKEY, variables, authorization);
      expect(refusal?.[0]).toBe("BAD_USER_INPUT");
    }
    expect(await login(app, { email, passkey: response as object })).toBe(REFUSED);
  },
);

graphqlClause("10.passkeys.challenges", "an answer is good once, at all processes", async () => {
  const { authenticator } = await withPasskey(app);
  const answer = authenticator.get(await passkeyOptions(app), { counter: 0 });
  const at = [app, replica, app, replica];
  const answers = await Promise.all(at.map((shop) => passkeyLogin(shop, answer)));
  expect(answers.sort()).toEqual([REFUSED, REFUSED, REFUSED, "in"]);
  expect(await passkeyLogin(replica, answer)).toBe(REFUSED);
});

graphqlClause(
  "10.passkeys.challenges",
  "each is good for its purpose and session alone",
  async () => {
    const member = await signedIn(app);
    const stranger = await signedIn(app);
    const confirm = async (options: Options, { authorization } = member) => {
      const response = new Authenticator(ORIGIN).create(options);
      return ask(app, CONFIRM_PASSKEY, { name: "Phone", response }, authorization);
    };
    const forLogin = { ...(await passkeyOptions(app)), rp: { id: "tea.example" } };
    expect((await confirm(forLogin)).refusal?.[0]).toBe("BAD_USER_INPUT");
    const own = await told<Options>(app, START_PASSKEY, {}, member.authorization);
    expect((await confirm(own, stranger)).refusal?.[0]).toBe("BAD_USER_INPUT");
    const both = await Promise.all([confirm(own), confirm(own)]);
    expect(both.map(({ refusal }) => refusal?.[0]).sort()).toEqual(["BAD_USER_INPUT", undefined]);
  },
);

graphqlClause("10.passkeys.challenges", "one that has expired is refused", async () => {
  const { authenticator } = await withPasskey(app);
  const options = await passkeyOptions(app);
  const later = Date.now() + 5 * 60_000;
  const clock = jest.spyOn(Date, "now").mockReturnValue(later);
  const answer = await passkeyLogin(app, authenticator.get(options));
  clock.mockRestore();
  expect(answer).toBe(REFUSED);
});

describe("without PUBLIC_ORIGIN", () => {
  const unnamed = useApp();

  graphqlClause("10.passkeys.origin", "passkeys are off, and the refusal says why", async () => {
    const { authorization } = await signedIn(unnamed);
    for (const field of ["startPasskey", "startPasskeyLogin", "startPasskeyConfirmation"]) {
      const { refusal } = await ask(unnamed, ["mutation", field], {}, authorization);
      expect(refusal).toEqual([
        "BAD_USER_INPUT",
        ["Passkeys are off, because PUBLIC_ORIGIN is not set"],
      ]);
    }
    const { authenticator } = await withPasskey(app);
    const answer = authenticator.get(await passkeyOptions(app));
    expect(await passkeyLogin(unnamed, answer)).toBe(REFUSED);
  });
});
