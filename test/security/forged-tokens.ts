import type { OutgoingHttpHeaders } from "node:http";
import { EXAMPLE_SECRET } from "../../src/config/text-forms";
import { assembled, credentialOf, forgersKey, signed, signedByForger } from "./signing";

/** An administrator as stored. */
export interface Account {
  readonly id: number;
  readonly email: string;
  readonly role: string;
  readonly password_hash: string;
}

/** What a forger may know, and what only the service does. */
export interface World {
  readonly secret: string;
  /** A secret that tokens were signed with before, and that is no longer set. */
  readonly removedSecret: string;
  readonly admin: Account;
  readonly other: Account;
  readonly demoted: Account;
}

const UNKNOWN_SESSION = "5a2d0a8c-4d5e-4c2f-9f0b-2b8f6f1c7d3e";

type Tokens = Record<string, (world: World) => string>;

/** The claims of a token as the service issues it, and others in their place. */
export function claimsOf(account: Account, others: object = {}): object {
  const { id, email, role, password_hash } = account;
  const now = Math.floor(Date.now() / 1000);
  const credential = credentialOf(password_hash);
  const times = { iat: now, exp: now + 600, auth_time: now };
  return { id, email, role, sub: String(id), credential, ...times, ...others };
}

/** A token that is good but for these claims, undefined leaving one out. */
export const claiming = ({ admin, secret }: World, claims: object = {}): string =>
  signed(claimsOf(admin, claims), secret);

const partsOf = (world: World): [string, string, string] =>
  claiming(world).split(".") as [string, string, string];

const withHeader =
  (header: unknown): Tokens[string] =>
  ({ admin, secret }) =>
    signed(claimsOf(admin), secret, header);

const signedBy =
  (secretOf: (world: World) => string | Buffer, header?: object): Tokens[string] =>
  (world) =>
    signed(claimsOf(world.admin), secretOf(world), header);

// What REST makes of the plain ones is in conformance/section-5-tokens.test.ts.

/** Tokens that no one but the holder of the secret could make good. */
const forged: Tokens = {
  "alg NONE": ({ admin }) => assembled({ alg: "NONE" }, claimsOf(admin), ""),
  "alg none without a third part": ({ admin }) =>
    assembled({ alg: "none" }, claimsOf(admin), "").slice(0, -1),
  "RS256 with an HMAC": withHeader({ alg: "RS256" }),
  "RS256 of the forger's": ({ admin }) => signedByForger(claimsOf(admin), "RS256"),
  "ES256 of the forger's": ({ admin }) => signedByForger(claimsOf(admin), "ES256"),
  "alg in a list": withHeader({ alg: ["HS256"] }),
  "alg in lower case": withHeader({ alg: "hs256" }),
  "a header of text": withHeader('"HS256"'),
  "a header that is no JSON": withHeader("{alg:HS256}"),
  "an embedded key": ({ admin }) => signedByForger(claimsOf(admin), "RS256", { jwk: forgersKey }),
  "an embedded symmetric key": signedBy(() => "forged", {
    alg: "HS256",
    jwk: { kty: "oct", k: Buffer.from("forged").toString("base64url") },
  }),
  "kid /dev/null and an empty secret": signedBy(() => "", {
    alg: "HS256",
    kid: "../../../../dev/null",
  }),
  "jku of the forger's": ({ admin }) =>
    signedByForger(claimsOf(admin), "RS256", { jku: "http://127.0.0.1:1/keys.json", kid: "1" }),

  "a changed payload": (world) => {
    const [header, , signature] = partsOf(world);
    const payload = claimsOf(world.admin, { exp: 4_000_000_000 });
    return `${header}.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.${signature}`;
  },
  "a changed header": (world) => {
    const [, payload, signature] = partsOf(world);
    return `${Buffer.from('{"alg":"HS256"}').toString("base64url")}.${payload}.${signature}`;
  },
  "no signature": (world) => `${partsOf(world).slice(0, 2).join(".")}.`,
  "a signature that lacks a character": (world) => claiming(world).slice(0, -1),
  "a signature of one more character": (world) => `${claiming(world)}A`,
  "a signature with padding": (world) => `${claiming(world)}=`,
  "a signature in upper case": (world) => {
    const [header, payload, signature] = partsOf(world);
    return `${header}.${payload}.${signature.toUpperCase()}`;
  },
  "the signature of another token": (world) => {
    const [header, payload] = partsOf(world);
    return `${header}.${payload}.${claiming(world, { jti: "1" }).split(".")[2]}`;
  },
  "four parts": (world) => `${claiming(world)}.x`,
  "JSON serialization": (world) => {
    const [header, payload, signature] = partsOf(world);
    return JSON.stringify({ protected: header, payload, signature });
  },
  "a token in a token": (world) => signed(JSON.stringify(claiming(world)), world.secret),
  "the published example of a secret": signedBy(() => EXAMPLE_SECRET),
  "a secret that was removed": signedBy(({ removedSecret }) => removedSecret),
  "the secret and a line break": signedBy(({ secret }) => `${secret}\n`),
  "the secret's bytes": signedBy(({ secret }) => Buffer.from(secret, "hex")),
  "the word undefined": signedBy(() => "undefined"),
  "the password's hash as secret": signedBy(({ admin }) => admin.password_hash),
};

type Claims = Record<string, unknown> | ((world: World) => Record<string, unknown>);

/** Claims that make a token of a right signature bad. Those of its times are in tokens.test.ts. */
const claims: Record<string, Claims> = {
  "id as text": ({ admin }) => ({ id: String(admin.id), sub: undefined }),
  "id in a list": ({ admin }) => ({ id: [admin.id], sub: undefined }),
  "id in an object": ({ admin }) => ({ id: { $eq: admin.id }, sub: undefined }),
  "id null": { id: null, sub: undefined },
  "id of another": ({ other }) => ({ id: other.id }),
  "sub in hexadecimal": ({ admin }) => ({ id: undefined, sub: `0x${admin.id.toString(16)}` }),
  "sub with an exponent": ({ admin }) => ({ id: undefined, sub: `${admin.id}e0` }),
  "sub with a line break": ({ admin }) => ({ id: undefined, sub: `${admin.id}\n` }),
  "sub in a list": ({ admin }) => ({ sub: [String(admin.id)] }),
  "sub null": { sub: null },

  "role in a list": { role: ["ADMIN"] },
  "role in lower case": { role: "admin" },
  "role with a blank": { role: "ADMIN " },
  "role null": { role: null },
  "role missing": { role: undefined },
  "role true": { role: true },
  "role of another kind": { role: "EDITOR" },

  "sid of nothing": { sid: "" },
  "sid null": { sid: null },
  "sid of no UUID": { sid: "1" },
  "sid in a list": { sid: [UNKNOWN_SESSION] },
  "sid of a session that is not there": { sid: UNKNOWN_SESSION },

  "credential of nothing": { credential: "" },
  "credential wrong": { credential: "x".repeat(22) },
  "credential null": { credential: null },
  "credential in a list": ({ admin }) => ({ credential: [credentialOf(admin.password_hash)] }),
  "credential cut short": ({ admin }) => ({
    credential: credentialOf(admin.password_hash).slice(0, -1),
  }),
  "credential of another": ({ other }) => ({ credential: credentialOf(other.password_hash) }),
};

/** What else a payload of a right signature can be. */
const payloads: Record<string, (world: World) => unknown> = {
  "a payload of a number": ({ admin }) => admin.id,
  "a payload in a list": ({ admin }) => [claimsOf(admin)],
  "a payload that is no JSON": () => "{id:1}",
  "an empty payload": () => ({}),
  "claims in a prototype": ({ admin }) => `{"__proto__":${JSON.stringify(claimsOf(admin))}}`,
  "a demoted administrator": ({ demoted }) => claimsOf(demoted, { role: "ADMIN" }),
  "a demoted administrator as she is": ({ demoted }) => claimsOf(demoted),
};

/** A request's parts that a token can be put in. */
export interface Placed {
  readonly headers?: OutgoingHttpHeaders;
  /** What is added to the path. */
  readonly query?: string;
  /** What is added to the body. */
  readonly body?: object;
}

const authorization =
  (valueOf: (token: string) => string) =>
  (token: string): Placed => ({ headers: { authorization: valueOf(token) } });

/** A good token where none is looked for, by mistake or to slip past. */
const misplaced: Record<string, (token: string) => Placed> = {
  "access_token in the query": (token) => ({ query: `?access_token=${token}` }),
  "a cookie": (token) => ({
    headers: { cookie: `access_token=${token}; Authorization=Bearer ${token}` },
  }),
  "the body": (token) => ({ body: { access_token: token, authorization: `Bearer ${token}` } }),
  ...Object.fromEntries(
    ["X-Access-Token", "X-Authorization", "Proxy-Authorization", "Idempotency-Key"].map((name) => [
      name,
      (token: string): Placed => ({ headers: { [name]: `Bearer ${token}` } }),
    ]),
  ),
  "the scheme Basic": authorization((token) => `Basic ${token}`),
  "the scheme Token": authorization((token) => `Token ${token}`),
  "a tab behind the scheme": authorization((token) => `Bearer\t${token}`),
  "the scheme twice": authorization((token) => `Bearer Bearer ${token}`),
  "a list of two": authorization((token) => `Bearer ${token}, Bearer ${token}`),
  "another scheme first": authorization((token) => `Basic eDp5, Bearer ${token}`),
  "blanks within": authorization((token) => `Bearer ${token.replaceAll(".", " . ")}`),
  "a second header": (token) => ({
    headers: { Authorization: ["Bearer x.y.z", `Bearer ${token}`] },
  }),
};

const asBearer = (tokens: Tokens) =>
  Object.entries(tokens).map(([name, tokenOf]): [string, (world: World) => Placed] => [
    name,
    (world) => ({ headers: { authorization: `Bearer ${tokenOf(world)}` } }),
  ]);

const mapped = <T, R>(table: Record<string, T>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value)]));

/** Requests that no operation for administrators may serve. */
export const badRequests: [string, (world: World) => Placed][] = [
  ...asBearer(forged),
  ...asBearer(
    mapped(
      claims,
      (given) => (world: World) =>
        claiming(world, typeof given === "function" ? given(world) : given),
    ),
  ),
  ...asBearer(
    mapped(payloads, (payloadOf) => (world: World) => signed(payloadOf(world), world.secret)),
  ),
  ...Object.entries(mapped(misplaced, (place) => (world: World) => place(claiming(world)))),
];
