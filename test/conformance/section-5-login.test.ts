import { decode, verify } from "jsonwebtoken";
import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { send, sendJson, type Answer } from "../support/raw-http";
import { errorBody } from "../support/refusals";
import { everythingStored } from "../support/stored";

const app = useApp();

const login = (body: object): Promise<Answer> =>
  sendJson(app.url, "POST", "/auth/login", JSON.stringify(body));

const invalidCredentials = errorBody(400, "Invalid credentials");

const success = { access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) };

clause("5.1", "e-mail and password of an administrator log in", async () => {
  const { email } = await app.make.admin();
  const answer = await login({ email, password: PASSWORD });
  expect([answer.status, answer.body]).toEqual([200, success]);
});

clause("5.2", "the token carries the administrator's id, e-mail and role for an hour", async () => {
  const admin = await app.make.admin({ email: "Owner@Example.com", role: "EDITOR" });
  const earliest = Math.floor(Date.now() / 1000);
  const { body } = await login({ email: admin.email, password: PASSWORD });
  const latest = Math.floor(Date.now() / 1000);

  const { access_token: token } = body as { access_token: string };
  expect(decode(token, { complete: true })?.header).toEqual({ alg: "HS256", typ: "JWT" });
  const claims = verify(token, app.settings.tokens.secret, { algorithms: ["HS256"] });
  expect(claims).toEqual({
    id: admin.id,
    sub: String(admin.id),
    email: "Owner@Example.com",
    role: "EDITOR",
    sid: expect.any(String),
    credential: expect.any(String),
    iat: expect.any(Number),
    exp: expect.any(Number),
    auth_time: expect.any(Number),
  });
  const { iat, exp, auth_time } = claims as { iat: number; exp: number; auth_time: number };
  expect([exp - iat, auth_time]).toEqual([3600, iat]);
  expect(iat).toBeGreaterThanOrEqual(earliest);
  expect(iat).toBeLessThanOrEqual(latest);
});

clause("5.4", "the token opens a protected operation", async () => {
  const { email } = await app.make.admin();
  const { body } = await login({ email, password: PASSWORD });
  const { access_token: token } = body as { access_token: string };
  const authorization = `Bearer ${token}`;
  const answer = await send(app.url, {
    method: "GET",
    path: "/orders",
    headers: { authorization },
  });
  expect(answer.status).toBe(200);
});

clause(
  "5.3",
  "an unknown e-mail, an inactive account and a wrong password look alike",
  async () => {
    const active = await app.make.admin();
    const inactive = await app.make.admin({ is_active: false });
    const answers = await Promise.all([
      login({ email: "nobody@example.com", password: PASSWORD }),
      login({ email: inactive.email, password: PASSWORD }),
      login({ email: active.email, password: "wrong" }),
      login({ email: inactive.email, password: "wrong" }),
    ]);
    const seen = answers.map(
      ({ status, headers: { date: _, "x-request-id": __, ...headers }, text }) => ({
        status,
        headers,
        text,
      }),
    );
    expect(seen[0]).toMatchObject({ status: 400, text: JSON.stringify(invalidCredentials) });
    for (const each of seen) expect(each).toEqual(seen[0]);
  },
);

clause("5.3", "a failed login changes nothing, a deactivation holds at once", async () => {
  const { email, id } = await app.make.admin();
  expect((await login({ email, password: PASSWORD })).status).toBe(200);
  await app.sql("UPDATE admins SET is_active = false WHERE id = $1", [id]);
  const before = await everythingStored(app);
  expect((await login({ email, password: PASSWORD })).body).toEqual(invalidCredentials);
  expect(await everythingStored(app)).toEqual(before);
});

clause("5.3", "e-mails match whatever their letter case, and as a whole only", async () => {
  await app.make.admin({ email: "Tea.Master@Example.com" });
  for (const email of ["tea.master@example.com", "TEA.MASTER@EXAMPLE.COM"]) {
    expect((await login({ email, password: PASSWORD })).status).toBe(200);
  }
  for (const email of ["tea_master@example.com", "%@example.com", "master@example.com"]) {
    expect((await login({ email, password: PASSWORD })).body).toEqual(invalidCredentials);
  }
});

clause("5.3", "passwords are never trimmed, and keep their letter case", async () => {
  const password = "  Steep three minutes ";
  const { email } = await app.make.admin({ password });
  expect((await login({ email, password })).status).toBe(200);
  const others = [password.trim(), `${password} `, password.trimEnd(), password.toLowerCase()];
  for (const other of others) {
    expect((await login({ email, password: other })).body).toEqual(invalidCredentials);
  }
});

clauseEach(
  "5.3",
  "bcrypt reads 72 bytes, but a longer password is another one",
  { "of ASCII": "a".repeat(72), "of three bytes a character": "茶".repeat(24) },
  async (password) => {
    const { email } = await app.make.admin({ password });
    expect((await login({ email, password })).status).toBe(200);
    for (const longer of [`${password}a`, password + password]) {
      const answer = await login({ email, password: longer });
      expect([answer.status, answer.body]).toEqual([400, invalidCredentials]);
    }
  },
);

clause("5.1", "a password of blanks is not empty", async () => {
  const answer = await login({ email: "nobody@example.com", password: "   " });
  expect(answer.body).toEqual(invalidCredentials);
});

clause("5.9", "neither a password nor its hash is ever answered", async () => {
  const password = "brewed in the dark";
  const { email, id } = await app.make.admin({ password });
  const [stored] = await app.sql<{ password_hash: string }>(
    "SELECT password_hash FROM admins WHERE id = $1",
    [id],
  );
  const answers = await Promise.all([
    login({ email, password }),
    login({ email, password: `${password}!` }),
    login({ email, password, foo: password }),
  ]);
  const [ok] = answers;
  const { access_token: token } = ok.body as { access_token: string };
  const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
  for (const text of [...answers.map((answer) => answer.text), payload, app.log.join("")]) {
    expect(text).not.toContain(password);
    expect(text).not.toContain(stored?.password_hash);
    expect(text).not.toMatch(/password_?hash/i);
  }
});
