import { decode } from "jsonwebtoken";
import { tea } from "../cli/terminal";
import type { GraphqlBody } from "../graphql/client";
import { entries } from "../record/entries";
import { startReplica, useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { tablesWith } from "../support/dump";
import { sendJson } from "../support/raw-http";
import { atRest } from "./login";
import { NEXT, statusesOf } from "./own-account";

const app = useApp();

let email: string;
let serial = 0;
beforeEach(() => (email = `invited-${(serial += 1)}@example.com`));

const command = (line: string, environment: Record<string, string> = {}) =>
  tea(line, {
    environment: {
      ...{ DATABASE_URL: app.database.url, JWT_SECRET: app.settings.tokens.secret },
      ...environment,
    },
  });

const PUBLIC_ORIGIN = "https://shop.example.com";

/** The token in the link that is printed. */
async function invited(): Promise<string> {
  const { exitCode, stdout, stderr } = await command(`admin invite ${email}`, { PUBLIC_ORIGIN });
  expect([exitCode, stderr]).toEqual([0, ""]);
  const { origin, pathname, search, hash } = new URL(stdout.trim());
  expect([origin, pathname, search]).toEqual([PUBLIC_ORIGIN, "/admin", ""]);
  return hash.replace("#invitation=", "");
}

/** The token that an acceptance is answered with, or the message of the refusal. */
async function accept(token: string, { password = NEXT, at = app } = {}): Promise<string> {
  const query = `mutation ($token: String!, $password: String!) {
    it: acceptInvitation(token: $token, password: $password) { accessToken }
  }`;
  const body = JSON.stringify({ query, variables: { token, password } });
  const answer = await sendJson(at.url, "POST", "/graphql", body);
  const { data, errors } = answer.body as GraphqlBody<{ it: { accessToken: string } } | null>;
  return data?.it.accessToken ?? String(errors?.[0]?.extensions.http.message);
}

const REFUSED = "Invalid credentials";

graphqlClause("10.invitations", "an invited administrator chooses a password, once", async () => {
  const token = await invited();
  expect(await tablesWith(app, token)).toEqual([]);
  expect(await accept(token, { password: "short" })).toMatch(/at least 12 characters/);
  const access = await accept(token);
  expect(decode(access)).toMatchObject({ email, role: "ADMIN", sid: expect.any(String) });
  expect(await statusesOf(app, access)).toEqual([200, 200]);
  expect(await accept(token)).toBe(REFUSED);
  expect(await atRest(app, { email, password: NEXT })).toBe(200);
  const [{ id: subjectId }] = (await app.sql<{ id: number }>(
    "SELECT id FROM admins WHERE email = $1",
    [email],
  )) as [{ id: number }];
  const left = await entries(app, { subject: "ADMINISTRATOR", subjectId });
  const shown = left.map(({ operation, changes }) => [
    operation,
    changes.map(({ field }) => field).join(),
  ]);
  expect(shown).toEqual([
    ["admin invite", "email,isActive,role"],
    ["admin invite", "invitation"],
    ["acceptInvitation", "password"],
  ]);
  expect(left.at(-1)?.actor).toBe(email);
});

graphqlClause("10.invitations", "of two acceptances at once, one wins", async () => {
  const token = await invited();
  const answers = await Promise.all([1, 2, 3].map(() => accept(token)));
  expect(answers.filter((each) => each !== REFUSED)).toHaveLength(1);
});

const useless: Record<string, (token: string) => Promise<unknown>> = {
  "one that is too old": () =>
    app.sql("UPDATE invitations SET ends_at = ends_at - interval '24 hours'"),
  "one before a second invitation": () => invited(),
  "one of an account that has a password": () =>
    tea(`admin set-password ${email}`, {
      input: "a password that was set meanwhile",
      environment: { DATABASE_URL: app.database.url },
    }),
  "one of an account that is deactivated": () => command(`admin deactivate ${email}`),
};

graphqlClauseEach(
  "10.invitations.refused",
  "a token that is good no more is refused, and sets no password",
  useless,
  async (spoil) => {
    const token = await invited();
    await spoil(token);
    const [before] = await app.sql("SELECT password_hash FROM admins WHERE email = $1", [email]);
    expect(await accept(token)).toBe(REFUSED);
    const [after] = await app.sql("SELECT password_hash FROM admins WHERE email = $1", [email]);
    expect(after).toEqual(before);
  },
);

graphqlClause("10.invitations.refused", "wrong tokens count as failed logins", async () => {
  const token = await invited();
  const limited = await startReplica(app, { login: { failureLimit: 3 } });
  try {
    const answers: string[] = [];
    for (let n = 0; n < 4; n += 1) answers.push(await accept(`wrong-${n}`, { at: limited }));
    expect(answers).toEqual([REFUSED, REFUSED, REFUSED, "Too Many Requests"]);
    expect(await accept(token, { at: limited })).toBe("Too Many Requests");
  } finally {
    await limited.close();
  }
});

graphqlClause("10.invitations.refused", "without a password nobody logs in", async () => {
  await invited();
  for (const password of ["null", "C6UzMDM.H6dfI/f/IKcEeO7DNp2xJOPRxyM/dGbMm3tDNjkmKPsTS"]) {
    expect(await atRest(app, { email, password })).toBe(400);
  }
});

test("who has a password is not invited, and a link needs a place to lead to", async () => {
  const known = await app.make.admin();
  const refused = await command(`admin invite ${known.email}`, { PUBLIC_ORIGIN });
  expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain("has a password");
  const nowhere = await command(`admin invite ${email}`);
  expect(nowhere).toMatchObject({ exitCode: 1, stdout: "" });
  expect(nowhere.stderr).toContain("PUBLIC_ORIGIN is required");
});
