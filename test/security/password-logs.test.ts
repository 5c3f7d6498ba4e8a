import { execute } from "../graphql/client";
import { useApp } from "../support/app";
import { PASSWORD } from "../support/factories";
import { isRequestLine, parsedLog, searchLog, type LogLine } from "../support/log-lines";
import { sendJson } from "../support/raw-http";
import { tokenOf } from "./own-account";

// Neither the present nor the new password of a change is logged, whatever comes of it.

const NEXT = "geheimer als geheim";
const CHANGE = `mutation ($currentPassword: String!, $newPassword: String!) {
  changePassword(currentPassword: $currentPassword, newPassword: $newPassword) { accessToken }
}`;

let email: string;
let token: string;
const app = useApp({ slowQuery: 50 });
beforeEach(async () => {
  ({ email } = await app.make.admin());
  token = await tokenOf(app, email);
  app.log.length = 0;
});

const variables = { currentPassword: PASSWORD, newPassword: NEXT };

const hashes = async (): Promise<string[]> =>
  (await app.sql<{ password_hash: string }>("SELECT password_hash FROM admins")).map(
    ({ password_hash }) => password_hash,
  );

/** What is logged of a request, which holds neither a password nor what stands for one. */
async function logged(id: string, before: readonly string[]): Promise<LogLine[]> {
  await searchLog(app, id);
  const log = app.log.join("");
  const secrets = [PASSWORD, NEXT, NEXT.split(" ")[0]!, token, email];
  for (const secret of [...secrets, ...before, ...(await hashes())]) {
    expect(log).not.toContain(secret);
  }
  return parsedLog(app.log);
}

const post = (body: string, id: string) =>
  sendJson(app.url, "POST", "/graphql", body, {
    authorization: `Bearer ${token}`,
    "x-request-id": id,
  });

const json = (query: string, given: object = variables): string =>
  JSON.stringify({ query, variables: given });

const inline = `mutation {
  changePassword(currentPassword: "${PASSWORD}", newPassword: "${NEXT}") { accessToken }
}`;

test.each<[string, string]>([
  ["that succeeds", json(CHANGE)],
  ["that stands in the document", json(inline, {})],
  ["with a wrong current password", json(CHANGE, { ...variables, currentPassword: NEXT })],
  ["whose passwords are of a wrong type", json(CHANGE, { ...variables, newPassword: [NEXT] })],
  ["with a password too many", json(CHANGE, { ...variables, [NEXT]: PASSWORD })],
  ["that is not valid", json(`mutation { changePassword(password: "${NEXT}") { accessToken } }`)],
  ["that does not parse", json(`mutation { changePassword(newPassword: "${NEXT} }`)],
  [
    "whose operation is named for its password",
    json(inline, {}).slice(0, -1) + `,"operationName":"${NEXT}"}`,
  ],
  ["whose JSON is cut short", json(CHANGE).slice(0, -3)],
])("a change %s leaves no password in the log", async (_label, body) => {
  const before = await hashes();
  await post(body, "one");
  const lines = await logged("one", before);
  expect(lines.filter(isRequestLine)).toHaveLength(1);
});

/** Does something with each new hash before it is stored. */
const meanwhile = (statement: string): string => `
  CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN ${statement}; RETURN new; END $$;
  CREATE TRIGGER meanwhile BEFORE UPDATE ON admins FOR EACH ROW EXECUTE FUNCTION meanwhile()`;

const AS_EVER = "DROP TRIGGER meanwhile ON admins; DROP FUNCTION meanwhile";

test("a change that is slow is logged with placeholders alone", async () => {
  await app.sql(meanwhile("PERFORM pg_sleep(0.06)"));
  const before = await hashes();
  const { body } = await execute(app, { query: CHANGE, variables }, `Bearer ${token}`);
  expect(body).not.toHaveProperty("errors");
  await app.sql(AS_EVER);
  await post(json("{ categories { id } }", {}), "later");
  const lines = await logged("later", before);
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: "slow statement",
      operation: "changePassword",
      statement: expect.stringMatching(/^UPDATE "admins" SET "password_hash"=\$1 WHERE "id" = \$2/),
    }),
  );
});

test("a change that fails in the database is answered and logged without its values", async () => {
  await app.sql(meanwhile("RAISE EXCEPTION 'failing' USING DETAIL = new.password_hash"));
  const before = await hashes();
  const { text } = await post(json(CHANGE), "failing");
  await app.sql(AS_EVER);
  expect(text).toContain("INTERNAL_SERVER_ERROR");
  expect(text).not.toMatch(/failing|geheim|[$]2b[$]/);
  const lines = await logged("failing", before);
  expect(lines).toContainEqual(
    expect.objectContaining({ err: expect.objectContaining({ message: "failing" }) }),
  );
});
