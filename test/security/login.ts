import { codesKey } from "../../src/services/administrators/login-throttle";
import type { GraphqlBody } from "../graphql/client";
import { startApp, startReplica, type Overrides, type TestApp } from "../support/app";
import { PASSWORD } from "../support/factories";
import { sendJson, type Answer } from "../support/raw-http";

/** A login, the right password and the test's own address where nothing else is said. */
export interface Login {
  readonly email: string;
  readonly password?: string;
  /** What `X-Forwarded-For` says. */
  readonly from?: string;
}

/** A password that no account has. */
export const WRONG = "wrong password";

/** A way of logging in; the status is REST's at both doors. */
export type LoginDoor = (app: TestApp, login: Login) => Promise<number>;

const forwarded = (from: string | undefined) =>
  from === undefined ? {} : { "x-forwarded-for": from };

export const postLogin = (app: TestApp, { email, password = PASSWORD, from }: Login) =>
  sendJson(app.url, "POST", "/auth/login", JSON.stringify({ email, password }), forwarded(from));

export async function mutateLogin(
  app: TestApp,
  { email, password = PASSWORD, from }: Login,
): Promise<Answer & { readonly body: GraphqlBody }> {
  const query = "mutation ($input: LoginInput!) { login(input: $input) { accessToken } }";
  const body = JSON.stringify({ query, variables: { input: { email, password } } });
  const answer = await sendJson(app.url, "POST", "/graphql", body, forwarded(from));
  return { ...answer, body: answer.body as GraphqlBody };
}

export const atRest: LoginDoor = async (app, login) => (await postLogin(app, login)).status;

export const atGraphql: LoginDoor = async (app, login) =>
  (await mutateLogin(app, login)).body.errors?.[0]?.extensions.http.statusCode ?? 200;

export const loginDoors: Record<string, LoginDoor> = { REST: atRest, GraphQL: atGraphql };

/** The statuses of this many logins, one after another. */
export async function inTurn(count: number, login: () => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) statuses.push(await login());
  return statuses;
}

/** How often each status occurs. */
export const tally = (statuses: readonly number[]): Record<number, number> =>
  statuses.reduce<Record<number, number>>(
    (counts, status) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
    {},
  );

/** What a test of counted failures begins with: an account of its own, and nothing counted. */
interface LoginShop {
  readonly app: TestApp;
  /** Another process of the same deployment. */
  readonly replica: TestApp;
  /** The account's address. */
  readonly email: string;
}

/** What is counted of logins, the most failures first, without the wrong codes of an account. */
export const countedFor = (app: TestApp, email: string) =>
  app.sql<{ points: number; pending: string[] }>(
    `SELECT points, pending FROM login_failures WHERE key <> $1
     ORDER BY points DESC, cardinality(pending) DESC`,
    [codesKey(email)],
  );

/** Starts a shop for the tests of a file, and hands it out before each. */
export function beforeEachOnLoginShop(
  { ofReplica = {}, ...settings }: Overrides & { readonly ofReplica?: Overrides },
  begin: (shop: LoginShop) => void,
): void {
  let app: TestApp;
  let replica: TestApp;
  beforeAll(async () => {
    app = await startApp(settings);
    replica = await startReplica(app, ofReplica);
  });
  beforeEach(async () => {
    await app.sql("DELETE FROM login_failures");
    const { email } = await app.make.admin();
    begin({ app, replica, email });
  });
  afterAll(async () => {
    await replica.close();
    await app.close();
  });
}
