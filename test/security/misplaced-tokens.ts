import type { OutgoingHttpHeaders } from "node:http";

/** A request's parts that a good token can be put in by mistake, or to slip past. */
export interface Misplaced {
  readonly headers?: OutgoingHttpHeaders;
  /** What is added to the path. */
  readonly query?: string;
  /** What is added to the body. */
  readonly body?: object;
}

const header =
  (name: string, valueOf: (token: string) => string = (token) => token) =>
  (token: string): Misplaced => ({ headers: { [name]: valueOf(token) } });

const authorization = (valueOf: (token: string) => string) => header("authorization", valueOf);

/** A good token where none is looked for. */
export const misplacedTokens: Record<string, (token: string) => Misplaced> = {
  "no token at all": () => ({}),
  "access_token in the query": (token) => ({ query: `?access_token=${token}` }),
  "token in the query": (token) => ({ query: `?token=${token}` }),
  "authorization in the query": (token) => ({ query: `?authorization=Bearer%20${token}` }),
  "a cookie": header("cookie", (token) => `access_token=${token}; Authorization=Bearer ${token}`),
  "the body": (token) => ({ body: { access_token: token, authorization: `Bearer ${token}` } }),
  "X-Access-Token": header("x-access-token"),
  "X-Authorization": header("x-authorization", (token) => `Bearer ${token}`),
  "X-Auth-Token": header("x-auth-token"),
  "Proxy-Authorization": header("proxy-authorization", (token) => `Bearer ${token}`),
  "X-Forwarded-Authorization": header("x-forwarded-authorization", (token) => `Bearer ${token}`),
  "X-Original-Authorization": header("x-original-authorization", (token) => `Bearer ${token}`),
  Authentication: header("authentication", (token) => `Bearer ${token}`),
  "Idempotency-Key": header("idempotency-key"),
  "no scheme": authorization((token) => token),
  "the scheme Basic": authorization((token) => `Basic ${token}`),
  "the scheme Basic, encoded": authorization(
    (token) => `Basic ${Buffer.from(`admin:${token}`).toString("base64")}`,
  ),
  "the scheme Token": authorization((token) => `Token ${token}`),
  "the scheme JWT": authorization((token) => `JWT ${token}`),
  "the scheme DPoP": authorization((token) => `DPoP ${token}`),
  "the scheme Bearers": authorization((token) => `Bearers ${token}`),
  "a scheme run together with the token": authorization((token) => `Bearer${token}`),
  "a colon behind the scheme": authorization((token) => `Bearer: ${token}`),
  "a tab behind the scheme": authorization((token) => `Bearer\t${token}`),
  "an escaped blank": authorization((token) => `Bearer%20${token}`),
  "the scheme twice": authorization((token) => `Bearer Bearer ${token}`),
  "the token twice": authorization((token) => `Bearer ${token} ${token}`),
  "a list of two": authorization((token) => `Bearer ${token}, Bearer ${token}`),
  "another scheme first": authorization((token) => `Basic eDp5, Bearer ${token}`),
  quotes: authorization((token) => `Bearer "${token}"`),
  "angle brackets": authorization((token) => `Bearer <${token}>`),
  "a parameter": authorization((token) => `Bearer token=${token}`),
  "blanks within": authorization((token) => `Bearer ${token.replaceAll(".", " . ")}`),
  "a comma at the end": authorization((token) => `Bearer ${token},`),
  "a second header": (token) => ({
    headers: { Authorization: ["Bearer x.y.z", `Bearer ${token}`] },
  }),
};
