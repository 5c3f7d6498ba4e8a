import { createHmac } from "node:crypto";
import { execute, type GraphqlError } from "../graphql/client";
import type { TestApp } from "../support/app";
import { Authenticator, type Options } from "../support/authenticator";
import { PASSWORD } from "../support/factories";
import { postLogin } from "./login";
import { tokenOf } from "./own-account";

/** Where browsers find the shops of tests with passkeys. */
export const ORIGIN = "https://tea.example";

/** Somebody who is signed in. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly authorization: string;
}

export async function signedIn(app: TestApp): Promise<Member> {
  const { id, email } = await app.make.admin();
  return { id, email, authorization: `Bearer ${await tokenOf(app, email)}` };
}

/** What an operation with the alias `it` answers. */
export interface Answered<T = unknown> {
  readonly it: T | undefined;
  /** The error's code, and its message or messages. */
  readonly refusal: readonly [code: string, message: string | readonly string[]] | undefined;
}

const refusalIn = (error: GraphqlError | undefined): Answered["refusal"] =>
  error && [error.extensions.code, error.extensions.http.message];

/** Sends `it: <field>`; `words` are declarations of variables, such as `$code: String!`. */
export async function ask<T>(
  app: TestApp,
  [type, field, words = ""]: readonly [type: "query" | "mutation", field: string, words?: string],
  variables: object = {},
  authorization?: string,
): Promise<Answered<T>> {
  const query = `${type} ${words && `(${words})`} { it: ${field} }`;
  const { body } = await execute(app, { query, variables }, authorization);
  const { it } = (body.data ?? {}) as { it?: T };
  return { it, refusal: refusalIn(body.errors?.[0]) };
}

/** The answer of an operation that succeeds. */
export async function told<T>(...request: Parameters<typeof ask>): Promise<T> {
  const { it, refusal } = await ask<T>(...request);
  if (refusal || it === undefined) throw new Error(JSON.stringify(refusal));
  return it;
}

/** The code of a secret in base32, so many steps of 30 s from now (RFC 6238). */
export function codeOf(secret: string, steps = 0): string {
  const bits = Array.from(secret, (each) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(each).toString(2).padStart(5, "0"),
  ).join("");
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac("sha1", key).update(counter).digest();
  const number = digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

export const START_CODES = ["mutation", "startOneTimeCodes { secret uri }"] as const;
export const CONFIRM_CODES = [
  "mutation",
  "confirmOneTimeCodes(code: $code)",
  "$code: String!",
] as const;

export interface WithCodes extends Member {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets up one-time codes, of which none has been used. */
export async function withCodes(app: TestApp, member?: Member): Promise<WithCodes> {
  const who = member ?? (await signedIn(app));
  const { authorization } = who;
  const { secret } = await told<{ secret: string }>(app, START_CODES, {}, authorization);
  const code = codeOf(secret);
  const recoveryCodes = await told<string[]>(app, CONFIRM_CODES, { code }, authorization);
  await unused(app, who);
  return { ...who, secret, recoveryCodes };
}

/** Makes the present code one that was not used. */
export const unused = (app: TestApp, { id }: Pick<Member, "id">) =>
  app.sql("UPDATE one_time_codes SET last_step = 0 WHERE admin_id = $1", [id]);

export interface WithPasskey extends Member {
  readonly authenticator: Authenticator;
  readonly passkeyId: string;
}

export const START_PASSKEY = ["mutation", "startPasskey"] as const;
export const CONFIRM_PASSKEY = [
  "mutation",
  "confirmPasskey(name: $name, response: $response) { id name createdAt lastUsedAt }",
  "$name: String!, $response: JSON!",
] as const;

/** Makes a passkey. */
export async function withPasskey(app: TestApp, member?: Member): Promise<WithPasskey> {
  const who = member ?? (await signedIn(app));
  const { authorization } = who;
  const authenticator = new Authenticator(ORIGIN);
  const options = await told<Options>(app, START_PASSKEY, {}, authorization);
  const variables = { name: "Phone", response: authenticator.create(options) };
  const passkey = await told<{ id: string }>(app, CONFIRM_PASSKEY, variables, authorization);
  return { ...who, authenticator, passkeyId: passkey.id };
}

/** Options to sign in by a passkey. */
export const passkeyOptions = (app: TestApp): Promise<Options> =>
  told<Options>(app, ["mutation", "startPasskeyLogin"]);

/** What a login may show. */
export interface Given {
  readonly email: string;
  readonly password?: string;
  readonly code?: string;
  readonly passkey?: object;
}

/** "in", or why not, of a login at GraphQL. */
export async function login(app: TestApp, { email, password = PASSWORD, code, passkey }: Given) {
  const input = { email, password, code, passkey };
  const field = "login(input: $input) { accessToken }";
  const { refusal } = await ask(app, ["mutation", field, "$input: LoginInput!"], { input });
  return refusal?.[1] ?? "in";
}

/** "in", or why not, of a login at REST. */
export async function restLogin(app: TestApp, email: string, password: string) {
  const { status, body } = await postLogin(app, { email, password });
  return status === 200 ? "in" : (body as { message: string }).message;
}

/** "in", or why not, of a login by a passkey alone. */
export async function passkeyLogin(app: TestApp, response: unknown) {
  const field = "loginWithPasskey(response: $response) { accessToken }";
  const { refusal } = await ask(app, ["mutation", field, "$response: JSON!"], { response });
  return refusal?.[1] ?? "in";
}

export const REFUSED = "Invalid credentials";
