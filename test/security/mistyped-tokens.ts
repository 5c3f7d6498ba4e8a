import { claiming, claimsOf, type World } from "./forged-tokens";
import { credentialOf, signed } from "./signing";

type Claims = Record<string, unknown> | ((world: World) => Record<string, unknown>);

const onlyId = (id: unknown): Claims => ({ id, sub: undefined });
const onlySub = (sub: unknown): Claims => ({ id: undefined, sub });
const bothAs = (id: unknown): Claims => ({ id, sub: String(id) });

/** Claims that make a token of a right signature bad. */
const claims: Record<string, Claims> = {
  "exp in the past": { exp: 1 },
  "exp a moment ago": () => ({ exp: Math.floor(Date.now() / 1000) - 1 }),
  "exp 0": { exp: 0 },
  "exp negative": { exp: -1 },
  "exp a fraction in the past": { exp: 1.5 },
  "exp as text": { exp: "4000000000" },
  "exp as a date": { exp: "2999-01-01T00:00:00Z" },
  "exp null": { exp: null },
  "exp true": { exp: true },
  "exp in a list": { exp: [4_000_000_000] },
  "exp in an object": { exp: { $gt: 0 } },
  "nbf in the future": { nbf: 3_999_999_999, exp: 4_000_000_000 },
  "nbf as text": { nbf: "0" },
  "nbf null": { nbf: null },

  "id as text": (world) => ({ id: String(world.admin.id), sub: undefined }),
  "id as text beside a good sub": (world) => ({ id: String(world.admin.id) }),
  "id a fraction": bothAs(1.5),
  "id negative": bothAs(-1),
  "id 0": bothAs(0),
  "id beyond the database's integers": bothAs(2_147_483_648),
  "id beyond exact numbers": bothAs(9_007_199_254_740_993n.toString()),
  "id beyond any": onlyId(1e308),
  "id in a list": (world) => ({ id: [world.admin.id], sub: undefined }),
  "id in an object": (world) => ({ id: { $eq: world.admin.id }, sub: undefined }),
  "id an operator": onlyId({ "[Op.gt]": 0 }),
  "id of SQL": onlyId("1 OR 1=1"),
  "id true": onlyId(true),
  "id false": onlyId(false),
  "id null": onlyId(null),
  "id empty": onlyId(""),
  "neither id nor sub": onlyId(undefined),
  "id of nobody": bothAs(2_000_000_000),
  "sub of SQL": onlySub("1 OR 1=1"),
  "sub an address": (world) => ({ id: undefined, sub: world.admin.email }),
  "sub in hexadecimal": (world) => ({ id: undefined, sub: `0x${world.admin.id.toString(16)}` }),
  "sub with an exponent": (world) => ({ id: undefined, sub: `${world.admin.id}e0` }),
  "sub with a blank": (world) => ({ id: undefined, sub: ` ${world.admin.id}` }),
  "sub with a line break": (world) => ({ id: undefined, sub: `${world.admin.id}\n` }),
  "sub with a sign": (world) => ({ id: undefined, sub: `+${world.admin.id}` }),
  "sub empty": onlySub(""),
  "sub in a list": (world) => ({ sub: [String(world.admin.id)] }),
  "sub in an object": { sub: {} },
  "sub null": { sub: null },
  "sub true": { sub: true },
  "sub of another": (world) => ({ sub: String(world.other.id) }),
  "id of another": (world) => ({ id: world.other.id }),

  "role in a list": { role: ["ADMIN"] },
  "role in an object": { role: { name: "ADMIN" } },
  "role in lower case": { role: "admin" },
  "role with a blank": { role: "ADMIN " },
  "role with NUL": { role: "ADMIN\0" },
  "role in look-alike letters": { role: "АDMIN" },
  "roles in one text": { role: "ADMIN,USER" },
  "role empty": { role: "" },
  "role null": { role: null },
  "role missing": { role: undefined },
  "role true": { role: true },
  "role 0": { role: 0 },
  "role of another kind": { role: "EDITOR" },
  "roles in place of role": { role: undefined, roles: ["ADMIN"] },

  "credential of nothing": { credential: "" },
  "credential wrong": { credential: "x".repeat(22) },
  "credential a number": { credential: 1 },
  "credential null": { credential: null },
  "credential true": { credential: true },
  "credential in a list": ({ admin }) => ({ credential: [credentialOf(admin.password_hash)] }),
  "credential cut short": ({ admin }) => ({
    credential: credentialOf(admin.password_hash).slice(0, -1),
  }),
  "credential in upper case": ({ admin }) => ({
    credential: credentialOf(admin.password_hash).toUpperCase(),
  }),
  "the password's hash as credential": ({ admin }) => ({ credential: admin.password_hash }),
  "credential of another": ({ other }) => ({ credential: credentialOf(other.password_hash) }),
};

/** What else a payload can be. */
const payloads: Record<string, (world: World) => unknown> = {
  "a payload of text": ({ admin }) => JSON.stringify(String(admin.id)),
  "a payload null": () => null,
  "a payload true": () => true,
  "a payload of a number": ({ admin }) => admin.id,
  "a payload in a list": ({ admin }) => [claimsOf(admin)],
  "a payload that is no JSON": () => "{id:1}",
  "an empty payload": () => ({}),
  "claims in a prototype": ({ admin }) => `{"__proto__":${JSON.stringify(claimsOf(admin))}}`,
  "claims in a constructor": ({ admin }) =>
    `{"constructor":{"prototype":${JSON.stringify(claimsOf(admin))}}}`,
};

/** Accounts that may not, or no longer, do anything. */
const accounts: Record<string, (world: World) => string> = {
  "a deactivated administrator": (world) => signed(claimsOf(world.deactivated), world.secret),
  "a demoted administrator": (world) =>
    signed(claimsOf(world.demoted, { role: "ADMIN" }), world.secret),
  "a demoted administrator as she is": (world) => signed(claimsOf(world.demoted), world.secret),
  "a deleted administrator": (world) => signed(claimsOf(world.deleted), world.secret),
};

/** Tokens of a right signature that are stale or say what no token of the service says. */
export const mistypedTokens: Record<string, (world: World) => string> = {
  ...Object.fromEntries(
    Object.entries(claims).map(([name, given]) => [
      name,
      (world: World) => claiming(world, typeof given === "function" ? given(world) : given),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(payloads).map(([name, payloadOf]) => [
      name,
      (world: World) => signed(payloadOf(world), world.secret),
    ]),
  ),
  ...accounts,
};
