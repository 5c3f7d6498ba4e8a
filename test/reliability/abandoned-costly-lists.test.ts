import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { startApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { searchLog } from "../support/log-lines";
import { openSocket, sendJson } from "../support/raw-http";

let app: TestApp;
let holder: Client;
beforeAll(async () => {
  // One costly list at a time, and one that waits.
  app = await startApp({ database: { poolSize: 4, queueLimit: 1 } });
  holder = new Client({ connectionString: app.database.url });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await app.close();
});

const document = (word: string) =>
  JSON.stringify({ query: `{ products(filter: { search: "${word}" }) { data { id } } }` });
const graphql = (body: string) => sendJson(app.url, "POST", "/graphql", body);
const search = (word: string) => graphql(document(word));

/** Resolves when the requests until now wait for their turn: a later one that needs none is answered. */
const served = async (): Promise<void> => {
  const { body } = await graphql('{ "query": "{ categories { id } }" }');
  expect(body).toEqual({ data: { categories: [] } });
};

test("a costly list leaves its place in the queue when its client is gone", async () => {
  await holder.query("BEGIN; LOCK products IN ACCESS EXCLUSIVE MODE");
  const first = search("green");
  await eventually(async () => (await waitingForLocks(app)) === 1);
  const id = randomUUID();
  const body = document("black");
  const socket = openSocket(app.url);
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: shop\r\nX-Request-Id: ${id}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await served();
  // Whoever comes is refused as long as the place is taken.
  expect((await search("white")).body).toMatchObject({
    errors: [{ extensions: { code: "SERVICE_UNAVAILABLE" } }],
  });
  socket.destroy();
  await searchLog(app, id);
  const next = search("red");
  await served();
  const last = await search("blue");
  await holder.query("COMMIT");
  const none = { data: { products: { data: [] } } };
  expect((await first).body).toEqual(none);
  expect((await next).body).toEqual(none);
  expect(last.body).toMatchObject({ errors: [{ extensions: { code: "SERVICE_UNAVAILABLE" } }] });
});
