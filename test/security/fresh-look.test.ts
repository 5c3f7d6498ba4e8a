import { fileOperations, operations, type Operation } from "../../src/services/operations";
import { useApp } from "../support/app";
import { clause, graphqlClause, graphqlClauseEach } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { asks, refusalIn, sidOf } from "./asks";
import { tokenOf } from "./own-account";
import { rootFields } from "./served-operations";

const app = useApp({ login: { failureLimit: 2 } });
const ask = (...given: Parameters<ReturnType<typeof asks>>) => asks(app)(...given);

/** A token of a session whose login was longer ago than a fresh look lasts. */
async function staleToken(): Promise<{ token: string; email: string }> {
  const { email } = await app.make.admin();
  const token = await tokenOf(app, email);
  const ago = "UPDATE sessions SET confirmed_at = now() - interval '601 seconds' WHERE id = $1";
  await app.sql(ago, [sidOf(token)]);
  return { token, email };
}

const confirm = (password: string) => `confirmIdentity(password: "${password}")`;
const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();

const fields: Readonly<Record<string, () => Promise<string> | string>> = {
  createWebhookEndpoint: () =>
    'mutation { createWebhookEndpoint(input: { url: "https://example.com/" }) { secret } }',
  rotateWebhookSecret: async () =>
    `mutation { rotateWebhookSecret(id: ${(await app.make.webhookEndpoint()).id}) }`,
  customerData: () => '{ customerData(email: "ada@example.com") { orders } }',
  eraseCustomer: () => 'mutation { eraseCustomer(email: "ada@example.com") { orders } }',
  createProgramToken: () =>
    `mutation { createProgramToken(name: "Printer", endsAt: "${nextMonth}") { secret } }`,
};

test("each operation that needs a fresh look is refused without one", async () => {
  const { token } = await staleToken();
  const needing = (await rootFields(app)).filter(
    ([name]) => operations[name.split(".")[1] as Operation].needs === "freshLook",
  );
  expect(needing.length).toBeGreaterThanOrEqual(Object.keys(fields).length);
  for (const [name, query] of needing) {
    const refused = refusalIn(await ask(token, query));
    expect([name, refused]).toEqual([name, "FORBIDDEN CONFIRM_IDENTITY"]);
  }
});

graphqlClauseEach(
  "10.fresh-look",
  "it is refused ten minutes after the login, until the password is given again",
  fields,
  async (field) => {
    const { token } = await staleToken();
    const query = await field();
    expect(refusalIn(await ask(token, query))).toBe("FORBIDDEN CONFIRM_IDENTITY");
    expect((await ask(token, `mutation { ${confirm(PASSWORD)} }`)).data).toEqual({
      confirmIdentity: true,
    });
    expect(refusalIn(await ask(token, query))).toBeUndefined();
  },
);

clause("10.fresh-look", "so are exports of people", async () => {
  const { token } = await staleToken();
  const statuses = () =>
    Promise.all(
      ["orders", "products", "subscribers"].map(async (list) => {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await fetch(`${app.url}/admin/export/${list}`, { headers });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
  expect(Object.keys(fileOperations)).toHaveLength(4);
  expect(await statuses()).toEqual([403, 200, 403]);
  await ask(token, `mutation { ${confirm(PASSWORD)} }`);
  expect(await statuses()).toEqual([200, 200, 200]);
});

graphqlClause("10.fresh-look", "the look is of its session alone, and counts at once", async () => {
  const { token, email } = await staleToken();
  const other = await tokenOf(app, email);
  await app.sql("UPDATE sessions SET confirmed_at = '2026-01-01T00:00:00Z' WHERE id = $1", [
    sidOf(other),
  ]);
  const create = fields["createProgramToken"]!() as string;
  const both = create.replace("mutation {", `mutation { ${confirm(PASSWORD)}`);
  expect(refusalIn(await ask(token, both))).toBeUndefined();
  expect(refusalIn(await ask(other, create))).toBe("FORBIDDEN CONFIRM_IDENTITY");
});

graphqlClause("10.fresh-look", "wrong passwords count as failed logins", async () => {
  const { token } = await staleToken();
  const wrong = `mutation { ${confirm("wrong password")} }`;
  const missing = await ask(token, "mutation { confirmIdentity }");
  expect(refusalIn(missing)).toBe("BAD_USER_INPUT REQUIRED");
  for (const expected of ["BAD_USER_INPUT CREDENTIALS", "BAD_USER_INPUT CREDENTIALS"]) {
    expect(refusalIn(await ask(token, wrong))).toBe(expected);
  }
  const right = `mutation { ${confirm(PASSWORD)} }`;
  expect(refusalIn(await ask(token, right))).toBe("TOO_MANY_REQUESTS LIMIT");
  const twice = await ask(token, `mutation { ${confirm("a")} b: ${confirm("b")} }`);
  expect(twice.errors?.[0]?.message).toBe("confirmIdentity may occur once per operation");
});
