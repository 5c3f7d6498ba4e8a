import { decode } from "jsonwebtoken";
import { execute, type GraphqlBody } from "../graphql/client";
import type { TestApp } from "../support/app";
import { PASSWORD } from "../support/factories";
import { sendJson } from "../support/raw-http";

/** Sends an operation of GraphQL under a token. */
export type Asks = (token: string, query: string, variables?: object) => Promise<GraphqlBody>;

export const asks =
  (app: TestApp): Asks =>
  async (token, query, variables) =>
    (await execute(app, { query, variables }, `Bearer ${token}`)).body;

/** The code of a refusal and those of its reasons, such as `FORBIDDEN ROLE`; undefined if nothing is refused. */
export const refusalIn = ({ errors }: GraphqlBody): string | undefined => {
  const { code, reasons = [] } = errors?.[0]?.extensions ?? { code: undefined };
  return code && [code, ...reasons.map((each) => each.code)].join(" ");
};

/** A token of a login at REST. */
export async function loginAtRest(app: TestApp, email: string, client: string): Promise<string> {
  const body = JSON.stringify({ email, password: PASSWORD });
  const answer = await sendJson(app.url, "POST", "/auth/login", body, { "user-agent": client });
  return (answer.body as { access_token: string }).access_token;
}

/** The session of a token. */
export const sidOf = (token: string): string => (decode(token) as { sid: string }).sid;
