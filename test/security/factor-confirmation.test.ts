import { useApp } from "../support/app";
import type { Options } from "../support/authenticator";
import { graphqlClause } from "../support/clause";
import { PASSWORD } from "../support/factories";
import {
  ask,
  codeOf,
  login,
  ORIGIN,
  passkeyOptions,
  REFUSED,
  START_CODES,
  told,
  withCodes,
  withPasskey,
  type Member,
} from "./factors";

const app = useApp({ publicOrigin: ORIGIN });

const confirm = async (
  { authorization }: Member,
  shown: { password?: string; code?: string; passkey?: object },
) => {
  const field = "confirmIdentity(password: $password, code: $code, passkey: $passkey)";
  const words = "$password: String, $code: String, $passkey: JSON";
  const { it, refusal } = await ask(app, ["mutation", field, words], shown, authorization);
  return it ?? refusal?.[1];
};

/** Whether the session has a fresh look; before that, its login was long ago. */
const age = ({ id }: Member) =>
  app.sql("UPDATE sessions SET confirmed_at = '2026-01-02T03:04:05Z' WHERE admin_id = $1", [id]);
const isFresh = async ({ authorization }: Member): Promise<boolean> =>
  (await ask(app, START_CODES, {}, authorization)).refusal === undefined;

graphqlClause("10.fresh-look", "with one-time codes it takes one, which is used up", async () => {
  const member = await withCodes(app);
  const { email, secret, recoveryCodes } = member;
  await age(member);
  expect(await confirm(member, { password: PASSWORD })).toBe(REFUSED);
  expect(await confirm(member, { code: codeOf(secret, 5) })).toBe(REFUSED);
  expect(await isFresh(member)).toBe(false);
  const code = codeOf(secret);
  expect(await confirm(member, { code })).toBe(true);
  expect(await isFresh(member)).toBe(true);
  expect(await login(app, { email, code })).toBe(REFUSED);
  expect(await confirm(member, { code: recoveryCodes[0]! })).toBe(true);
  expect(await confirm(member, { code: recoveryCodes[0]! })).toBe(REFUSED);
});

graphqlClause("10.fresh-look", "or a passkey, for options of this session", async () => {
  const member = await withPasskey(app);
  const { authenticator, authorization } = member;
  await age(member);
  const forLogin = authenticator.get(await passkeyOptions(app));
  expect(await confirm(member, { passkey: forLogin })).toBe(REFUSED);
  const start = ["mutation", "startPasskeyConfirmation"] as const;
  const options = await told<Options>(app, start, {}, authorization);
  expect(options).toMatchObject({ allowCredentials: [{ id: authenticator.id }] });
  const passkey = authenticator.get(options);
  expect(await isFresh(member)).toBe(false);
  expect(await confirm(member, { passkey })).toBe(true);
  expect(await isFresh(member)).toBe(true);
  expect(await confirm(member, { passkey })).toBe(REFUSED);
});
