import { createHmac } from "node:crypto";
import { sign } from "jsonwebtoken";
import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { call, protectedOperations } from "../support/protected-operations";
import { errorBody } from "../support/refusals";
import { everythingStored } from "../support/stored";
import { tokenFor } from "../support/tokens";

let admin: { id: number; email: string; role: string };
const app = useApp();
beforeAll(async () => {
  admin = await app.make.admin();
});

const token = (claims: object = {}): string => tokenFor(admin, app.settings.tokens.secret, claims);

const withId = (id: unknown): string => token({ id, sub: String(id) });

const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

/** A signed token of any payload, also of one that a library would not sign. */
function signed(header: object, payload: unknown): string {
  const text = `${base64url(header)}.${base64url(payload)}`;
  const { secret } = app.settings.tokens;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const claimsOf = (): object => ({ ...admin, sub: String(admin.id), exp: 4_000_000_000 });

const presentedNone: Record<string, () => string | undefined> = {
  "no header": () => undefined,
  "an empty header": () => "",
  "another scheme": () => "Basic b3duZXI6cGFzcw==",
  "another scheme with a good token": () => `Token ${token()}`,
  "another scheme of as many letters with a good token": () => `Digest ${token()}`,
  "a good token without a scheme": () => token(),
  "a scheme without a token": () => "Bearer",
  "a scheme and a blank": () => "Bearer ",
  "a scheme run together with the token": () => `Bearer${token()}`,
};

const presentedBad: Record<string, () => string | Promise<string>> = {
  garbage: () => "abc",
  "three parts of garbage": () => "a.b.c",
  "two parts of a good token": () => token().split(".").slice(0, 2).join("."),
  "a good token and another word": () => `${token()} more`,
  "a good token in quotes": () => `"${token()}"`,
  "a changed payload": () => {
    const [head, , signature] = token().split(".");
    return [head, base64url({ ...claimsOf(), role: "OTHER" }), signature].join(".");
  },
  "no signature under alg none": () =>
    `${base64url({ alg: "none", typ: "JWT" })}.${base64url(claimsOf())}.`,
  "a good signature under alg none": () => signed({ alg: "none", typ: "JWT" }, claimsOf()),
  "a good signature under an unknown alg": () => signed({ alg: "XY256" }, claimsOf()),
  "a header without alg": () => signed({}, claimsOf()),
  HS512: () => tokenFor(admin, app.settings.tokens.secret, {}, { algorithm: "HS512" }),
  HS384: () => tokenFor(admin, app.settings.tokens.secret, {}, { algorithm: "HS384" }),
  "another secret": () => tokenFor(admin, "another secret of 32 characters..."),
  "an empty secret": () => {
    const text = `${base64url({ alg: "HS256" })}.${base64url(claimsOf())}`;
    return `${text}.${createHmac("sha256", "").update(text).digest("base64url")}`;
  },
  "an end in the past": () => token({ exp: 1 }),
  "an end that is no number": () => signed({ alg: "HS256" }, { ...claimsOf(), exp: "4000000000" }),
  "a start in the future": () => token({ nbf: 4_000_000_000, exp: 4_000_000_001 }),
  "a payload of text": () => sign(`${admin.id}`, app.settings.tokens.secret),
  "a payload of null": () => signed({ alg: "HS256" }, null),
  "neither id nor sub": () => token({ id: undefined, sub: undefined }),
  "an id as text": () => token({ id: String(admin.id) }),
  "an id as a fraction": () => withId(admin.id + 0.5),
  "an id as a list": () => token({ id: [admin.id] }),
  "an id as an object": () => token({ id: { $gt: 0 }, sub: undefined }),
  "an id true": () => token({ id: true, sub: undefined }),
  "a sub as an object": () => token({ sub: {} }),
  "a sub that is no number": () => token({ sub: admin.email }),
  "a sub that is no number, and no id": () => token({ id: undefined, sub: "1 OR 1=1" }),
  "an empty sub, and no id": () => token({ id: undefined, sub: "" }),
  "an id and a sub that disagree": () => token({ sub: String(admin.id + 1) }),
  "the id 0": () => withId(0),
  "a negative id": () => withId(-admin.id),
  "an id beyond the database's integer": () => withId(2_147_483_648),
  "an id beyond any integer": () => withId(1e308),
  "an unknown administrator": () => withId(2_000_000_000),
  "a deactivated administrator": async () =>
    tokenFor(await app.make.admin({ is_active: false }), app.settings.tokens.secret),
  "a deleted administrator": async () => {
    const deleted = await app.make.admin();
    await app.sql("DELETE FROM admins WHERE id = $1", [deleted.id]);
    return tokenFor(deleted, app.settings.tokens.secret);
  },
};

/** Expects every protected operation to answer 401, and nothing to be done. */
async function expectUnauthorized(
  authorization: string | undefined,
  challenge: string,
): Promise<void> {
  const before = await everythingStored(app);
  for (const [name, operation] of Object.entries(protectedOperations)) {
    const { status, headers, body } = await call(app, operation, authorization);
    expect([name, status, headers["www-authenticate"], body]).toEqual([
      name,
      401,
      challenge,
      errorBody(401),
    ]);
  }
  expect(await everythingStored(app)).toEqual(before);
}

clauseEach(
  "7.401",
  "without a token, every protected operation asks for one",
  presentedNone,
  (authorizationOf) => expectUnauthorized(authorizationOf(), "Bearer"),
);

clauseEach(
  "7.401",
  "no protected operation takes a token that is not valid",
  presentedBad,
  async (tokenOf) => {
    await expectUnauthorized(`Bearer ${await tokenOf()}`, 'Bearer error="invalid_token"');
  },
);

clause("5.4", "a deactivation or deletion ends a token at once", async () => {
  const operation = protectedOperations["GET /orders"]!;
  const other = await app.make.admin();
  const authorization = `Bearer ${tokenFor(other, app.settings.tokens.secret)}`;
  expect((await call(app, operation, authorization)).status).toBe(200);
  await app.sql("UPDATE admins SET is_active = false WHERE id = $1", [other.id]);
  expect((await call(app, operation, authorization)).status).toBe(401);
  await app.sql("UPDATE admins SET is_active = true WHERE id = $1", [other.id]);
  expect((await call(app, operation, authorization)).status).toBe(200);
  await app.sql("DELETE FROM admins WHERE id = $1", [other.id]);
  expect((await call(app, operation, authorization)).status).toBe(401);
});

clauseEach(
  "5.4",
  "a good token is taken",
  {
    "under the scheme Bearer": () => `Bearer ${token()}`,
    "under the scheme bearer": () => `bearer ${token()}`,
    "under the scheme BEARER": () => `BEARER ${token()}`,
    "under the scheme bEaReR": () => `bEaReR ${token()}`,
    "without a sub": () => `Bearer ${token({ sub: undefined })}`,
    "with the id in sub alone": () => `Bearer ${token({ id: undefined })}`,
    "without times": () => `Bearer ${signed({ alg: "HS256" }, { ...claimsOf(), exp: undefined })}`,
    "with a start in the past": () => `Bearer ${token({ nbf: 1 })}`,
    "whatever e-mail it claims": () => `Bearer ${token({ email: "former@example.com" })}`,
  },
  async (authorizationOf) => {
    const answer = await call(app, protectedOperations["GET /orders"]!, authorizationOf());
    expect(answer.status).toBe(200);
  },
);
