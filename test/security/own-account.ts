import { decode } from "jsonwebtoken";
import { execute, type GraphqlBody, type GraphqlError } from "../graphql/client";
import type { TestApp } from "../support/app";
import { PASSWORD } from "../support/factories";
import { call, protectedOperations } from "../support/protected-operations";
import { sendJson } from "../support/raw-http";
import { mutateLogin } from "./login";

/** A password that may be set. */
export const NEXT = "another horse, another battery";

/** What an operation on the own account answers: a token, or a refusal. */
export interface OwnAnswer {
  readonly token: string | undefined;
  readonly refusal: GraphqlError["extensions"] | undefined;
}

const answerOf = ({ data, errors }: GraphqlBody): OwnAnswer => {
  const { it } = (data ?? {}) as { it?: { accessToken: string } };
  return { token: it?.accessToken, refusal: errors?.[0]?.extensions };
};

const RENEW = "mutation { it: renewToken { accessToken } }";

export const renew = async (app: TestApp, token: string): Promise<OwnAnswer> =>
  answerOf((await execute(app, { query: RENEW }, `Bearer ${token}`)).body);

/** A change of the password, from the right one where nothing else is said. */
export interface Change {
  readonly token: string;
  readonly current?: string;
  readonly next?: string;
  /** What `X-Forwarded-For` says. */
  readonly from?: string;
}

const CHANGE = `mutation ($currentPassword: String!, $newPassword: String!) {
  it: changePassword(currentPassword: $currentPassword, newPassword: $newPassword) { accessToken }
}`;

export async function change(
  app: TestApp,
  { token, current: currentPassword = PASSWORD, next: newPassword = NEXT, from }: Change,
): Promise<OwnAnswer> {
  const request = { query: CHANGE, variables: { currentPassword, newPassword } };
  const { body } = await sendJson(app.url, "POST", "/graphql", JSON.stringify(request), {
    authorization: `Bearer ${token}`,
    ...(from !== undefined && { "x-forwarded-for": from }),
  });
  return answerOf(body as GraphqlBody);
}

/** The status of a change, as REST would have it. */
export const changeStatus = async (app: TestApp, each: Change): Promise<number> =>
  (await change(app, each)).refusal?.http.statusCode ?? 200;

/** A token of a login that succeeds. */
export async function tokenOf(app: TestApp, email: string, password = PASSWORD): Promise<string> {
  const { body } = await mutateLogin(app, { email, password });
  return (body.data as { login: { accessToken: string } }).login.accessToken;
}

/** The statuses of a token at both doors. */
export async function statusesOf(app: TestApp, token: string): Promise<[number, number]> {
  const rest = await call(app, protectedOperations["GET /orders"]!, `Bearer ${token}`);
  const query = "{ orders { meta { total } } }";
  const { body } = await execute(app, { query }, `Bearer ${token}`);
  return [rest.status, body.errors?.[0]?.extensions.http.statusCode ?? 200];
}

/** The claims of a token as the service issues it. */
export interface Claims {
  readonly iat: number;
  readonly exp: number;
  readonly auth_time: number;
  readonly credential: string;
}

export const claimsIn = (token: string | undefined): Claims =>
  decode(token ?? "", { json: true }) as unknown as Claims;
