/** @check */

import type { GraphqlBody } from "../graphql/client";
import { useApp } from "../support/app";
import { protectedOperations } from "../support/protected-operations";
import { send, sendJson } from "../support/raw-http";
import { everythingStored } from "../support/stored";
import { badRequests, claiming, type Account, type Placed, type World } from "./forged-tokens";
import { publicOperations, rootFields } from "./served-operations";

jest.setTimeout(60_000);

let world: World;
/** A document for each field of GraphQL that is for administrators. */
let documents: [name: string, query: string][];
/** What is there, which nobody is to change. */
let stored: object;
const app = useApp();
beforeAll(async () => {
  const account = async (values: object = {}): Promise<Account> =>
    (await app.make.admin(values)) as Account;
  world = {
    secret: app.settings.tokens.secret,
    removedSecret: "a secret of last year, 32 characters or more",
    admin: await account(),
    other: await account({ password: "another password" }),
    demoted: await account({ role: "EDITOR" }),
  };
  const product = await app.make.product();
  const order = await app.make.order();
  const endpoint = await app.make.webhookEndpoint();
  // The documents name the things with id 1, so that whoever gets through does harm.
  expect([product.id, product.category_id, order.id, endpoint.id]).toEqual([1, 1, 1, 1]);
  documents = (await rootFields(app)).filter(([name]) => !publicOperations.includes(name));
  stored = await everythingStored(app);
});

/** The statuses of protected operations at both doors; GraphQL's is the one that REST would answer with. */
async function statuses({ headers = {}, query = "", body = {} }: Placed) {
  const rest = Object.entries(protectedOperations).map(async ([name, operation]) => {
    const { status } = await send(app.url, {
      method: operation.method,
      path: operation.path(1) + query,
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ ...operation.body, ...body }),
    });
    return [name, status] as const;
  });
  const graphql = documents.map(async ([name, document]) => {
    const text = JSON.stringify({ query: document, extensions: body, variables: body, ...body });
    const answer = await sendJson(app.url, "POST", `/graphql${query}`, text, headers);
    const { data, errors } = answer.body as GraphqlBody;
    const nothing = Object.values(data ?? {}).every((each) => each === null);
    const status = errors?.length === 1 && nothing ? errors[0]!.extensions.http.statusCode : 200;
    return [name, status] as const;
  });
  return Promise.all([...rest, ...graphql]);
}

test.each(badRequests)("no operation is opened by %s", async (_label, requestOf) => {
  const answered = await statuses(requestOf(world));
  expect(answered.filter(([, status]) => status !== 401 && status !== 403)).toEqual([]);
  const before = stored;
  stored = await everythingStored(app);
  expect(stored).toEqual(before);
});

test("a form with a good token opens nothing", async () => {
  const body = `access_token=${claiming(world)}&name=Oolong`;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status } = await send(app.url, { method: "POST", path: "/categories", headers, body });
  expect(status).toBe(401);
});

// Last, as it does what the others must not: the same calls under a good token.
test("a good token opens everything that was attacked", async () => {
  const answered = await statuses({ headers: { authorization: `Bearer ${claiming(world)}` } });
  expect(answered.filter(([, status]) => [401, 403].includes(status))).toEqual([]);
  expect(await everythingStored(app)).not.toEqual(stored);
});
