import { operations, type Operation } from "../../src/services/operations";
import { tea } from "../cli/terminal";
import { leftBy } from "../record/entries";
import { startReplica, useApp, type Overrides } from "../support/app";
import { clause, clauseEach, graphqlClause, graphqlClauseEach } from "../support/clause";
import { eventually } from "../support/eventually";
import { asks, refusalIn } from "./asks";
import { change, statusesOf, tokenOf } from "./own-account";
import { rootFields } from "./served-operations";

jest.setTimeout(60_000);

const data = { secret: "a secret for data, of 32 characters or more", previousSecrets: [] };
const app = useApp({ data });
const ask = (...given: Parameters<ReturnType<typeof asks>>) => asks(app)(...given);

const DAY = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString();

const CREATE = `mutation ($name: String!, $endsAt: DateTime!, $readOnly: Boolean! = false) {
  createProgramToken(name: $name, endsAt: $endsAt, readOnly: $readOnly) {
    secret token { id name readOnly createdAt lastUsedAt endsAt }
  }
}`;

interface Created {
  readonly secret: string;
  readonly token: Record<string, unknown> & { readonly id: string };
}

async function create(
  person: string,
  values: { name?: string; endsAt?: string; readOnly?: boolean } = {},
): Promise<Created> {
  const body = await ask(person, CREATE, { name: "Printer", endsAt: inDays(30), ...values });
  return (body.data as { createProgramToken: Created }).createProgramToken;
}

let account: { id: number; email: string };
let person: string;
beforeEach(async () => {
  account = await app.make.admin();
  person = await tokenOf(app, account.email);
});

const listed = async () =>
  (await ask(person, "{ programTokens { id name readOnly createdAt lastUsedAt endsAt } }"))
    .data as {
    programTokens: Created["token"][];
  };

graphqlClause("10.program-tokens", "a token opens both APIs until it is ended", async () => {
  const endsAt = inDays(300);
  const { secret, token } = await create(person, { name: " Label printer ", endsAt });
  expect(token).toEqual({
    ...{ id: expect.any(String), name: "Label printer", readOnly: false, lastUsedAt: null, endsAt },
    createdAt: expect.stringMatching(/Z$/) as string,
  });
  expect((await listed()).programTokens).toEqual([token]);
  expect(await statusesOf(app, secret)).toEqual([200, 200]);
  await eventually(async () => (await listed()).programTokens[0]!["lastUsedAt"] !== null);

  const other = await startReplica(app);
  try {
    expect(await statusesOf(other, secret)).toEqual([200, 200]);
    const end = `mutation { endProgramToken(id: "${token.id}") }`;
    expect((await ask(person, end)).data).toEqual({ endProgramToken: true });
    for (const each of [app, other]) expect(await statusesOf(each, secret)).toEqual([401, 401]);
    expect((await ask(person, end)).data).toEqual({ endProgramToken: false });
  } finally {
    await other.close();
  }
  expect((await listed()).programTokens).toEqual([]);
});

graphqlClause(
  "10.program-tokens.rights",
  "it calls nothing of accounts, nor what needs a fresh look",
  async () => {
    const { secret } = await create(person);
    const own = (await rootFields(app)).filter(
      ([name]) => operations[name.split(".")[1] as Operation].isOfAccount,
    );
    expect(own.length).toBeGreaterThanOrEqual(10);
    for (const [name, query] of own) {
      expect([name, refusalIn(await ask(secret, query))]).toEqual([name, "FORBIDDEN ROLE"]);
    }
    const erase = 'mutation { eraseCustomer(email: "a@example.com") { orders } }';
    expect(refusalIn(await ask(secret, erase))).toBe("FORBIDDEN CONFIRM_IDENTITY");
  },
);

clauseEach(
  "10.program-tokens.rights",
  "it exports nothing, and changes something unless it is for reading",
  { "with all rights": false, "for reading": true },
  async (readOnly) => {
    const { secret } = await create(person, { readOnly });
    const status = async (path: string, init: RequestInit = {}): Promise<number> => {
      const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
      return (await fetch(app.url + path, { headers, ...init })).status;
    };
    const changes = readOnly ? 403 : 201;
    const body = JSON.stringify({ name: "Oolong" });
    expect(await status("/orders")).toBe(200);
    expect(await status("/categories", { method: "POST", body })).toBe(changes);
    for (const list of ["orders", "products", "subscribers"]) {
      expect(await status(`/admin/export/${list}`)).toBe(403);
    }
    // It gets as far as the media type of the file.
    const file = await status("/admin/import?dryRun=false", { method: "POST", body });
    expect(file).toBe(readOnly ? 403 : 415);
    const category = 'mutation { createCategory(input: { name: "Oolong" }) { id } }';
    expect(refusalIn(await ask(secret, category))).toBe(readOnly ? "FORBIDDEN ROLE" : undefined);
  },
);

graphqlClauseEach(
  "10.program-tokens",
  "names and ends have bounds",
  {
    "an empty name": [{ name: " \u200b" }, "REQUIRED"],
    "a long name": [{ name: "x".repeat(121) }, "TOO_LONG"],
    "an end in the past": [{ endsAt: inDays(-1) }, "OUT_OF_RANGE"],
    "an end after more than a year": [{ endsAt: inDays(367) }, "OUT_OF_RANGE"],
  },
  async ([values, reason]: [object, string]) => {
    const refused = await ask(person, CREATE, { name: "Printer", endsAt: inDays(30), ...values });
    expect(refusalIn(refused)).toBe(`BAD_USER_INPUT ${reason}`);
  },
);

graphqlClause("10.program-tokens", "an account has at most 100", async () => {
  await app.sql(
    `INSERT INTO sessions (admin_id, program, idle_until, ends_at)
     SELECT $1, 'Old', now() + interval '1 day', now() + interval '1 day' FROM generate_series(1, 99)`,
    [account.id],
  );
  await create(person);
  const more = await ask(person, CREATE, { name: "Printer", endsAt: inDays(30) });
  expect(refusalIn(more)).toBe("BAD_USER_INPUT OUT_OF_RANGE");
});

const ends: Readonly<Record<string, () => Promise<unknown>>> = {
  "a changed password": () => change(app, { token: person }),
  "a deactivation": () => app.shop.services.accounts.setActive(account.email, false),
};

graphqlClauseEach("10.program-tokens", "it ends with its account's password", ends, async (end) => {
  const { secret } = await create(person);
  await end();
  expect(await statusesOf(app, secret)).toEqual([401, 401]);
});

test("endOtherSessions and logOut end no token of a program", async () => {
  const { secret } = await create(person);
  await ask(person, "mutation { endOtherSessions logOut }");
  expect(await statusesOf(app, secret)).toEqual([200, 200]);
});

clauseEach<[Overrides, 200 | 401]>(
  "10.program-tokens",
  "it hangs on DATA_SECRET alone",
  {
    "another JWT_SECRET": [{ tokens: { secret: "x".repeat(32) } }, 200],
    "an earlier DATA_SECRET": [
      { data: { secret: "x".repeat(32), previousSecrets: [data.secret] } },
      200,
    ],
    "another DATA_SECRET": [{ data: { secret: "x".repeat(32) } }, 401],
  },
  async ([overrides, status]) => {
    const { secret } = await create(person);
    const other = await startReplica(app, overrides);
    try {
      expect(await statusesOf(other, secret)).toEqual([status, status]);
    } finally {
      await other.close();
    }
  },
);

clause("10.sessions.audit", "what becomes of tokens leaves an entry", async () => {
  const { left, result } = await leftBy(app, async () => {
    const { token, secret } = await create(person, { readOnly: true });
    await ask(person, `mutation { endProgramToken(id: "${token.id}") }`);
    return { endsAt: String(token["endsAt"]), secret };
  });
  const values = { "": "Printer", ".readOnly": "true", ".endsAt": result.endsAt };
  const changes = (before: boolean) =>
    Object.entries(values).map(([name, value]) => ({
      field: `programToken${name}`,
      ...(before ? { before: value, after: null } : { before: null, after: value }),
    }));
  const by = { actor: account.email, subject: "ADMINISTRATOR", subjectId: account.id };
  expect(left).toEqual([
    expect.objectContaining({ ...by, operation: "createProgramToken", changes: changes(false) }),
    expect.objectContaining({ ...by, operation: "endProgramToken", changes: changes(true) }),
  ]);
  expect(JSON.stringify(left)).not.toContain(result.secret);
});

describe("tea token create", () => {
  const command = (email: string, ...more: string[]) =>
    tea(["token", "create", email, "--name", "Printer", "--ends", inDays(30), ...more], {
      environment: {
        DATABASE_URL: app.database.url,
        JWT_SECRET: app.settings.tokens.secret,
        DATA_SECRET: data.secret,
      },
    });

  test("prints a token, which is recorded", async () => {
    const { left, result } = await leftBy(app, () => command(account.email, "--read-only"));
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await statusesOf(app, result.stdout.trim())).toEqual([200, 200]);
    expect((await listed()).programTokens).toEqual([
      expect.objectContaining({ name: "Printer", readOnly: true }),
    ]);
    expect(left).toEqual([
      expect.objectContaining({ door: "COMMAND_LINE", operation: "token create" }),
    ]);
  });

  test("refuses an account that is not there or not active, and a far end", async () => {
    expect(await command("nobody@example.com")).toMatchObject({ exitCode: 1, stdout: "" });
    await app.shop.services.accounts.setActive(account.email, false);
    expect((await command(account.email)).stderr).toContain("is deactivated");
    expect((await command(account.email, "--ends", inDays(400))).stderr).toContain("within a year");
  });
});
