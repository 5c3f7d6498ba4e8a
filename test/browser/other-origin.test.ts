import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { startApp, type TestApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { clause } from "../support/clause";

jest.setTimeout(60_000);

let browser: Browser;
let pages: Server;
let app: TestApp;
let page: Page;
const started: { close(): Promise<void> }[] = [];

/** A server of empty pages, whose origin is the shop's own and not the service's. */
const listening = () =>
  new Promise<Server>((resolve) => {
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "text/html").end("<!doctype html><title>Shop</title>");
    });
    server.listen(0, "127.0.0.1", () => resolve(server));
  });

beforeAll(async () => {
  pages = await listening();
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  started.push((browser = await launchChromium()));
  const http = { corsOrigins: [origin], corsHeaders: ["X-Shop-Version"] };
  started.push((app = await startApp({ http })));
  await app.make.category({ name: "Green" });
  page = await browser.newPage();
  await page.goto(origin);
}, 120_000);

afterAll(async () => {
  for (const each of started) await each.close();
  pages.close();
});

interface Fetched {
  readonly status?: number;
  readonly text?: string;
  /** Why the browser gave the page nothing. */
  readonly blocked?: string;
}

/** What the page gets if it fetches a path of the service; `options` are those of `fetch`. */
const fetched = (path: string, options: object = {}): Promise<Fetched> =>
  page.evaluate<Fetched>(`fetch(${JSON.stringify(app.url + path)}, ${JSON.stringify(options)}).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    (fault) => ({ blocked: fault.name }))`);

const query = "{ categories { name } }";
const answer = { status: 200, text: '{"data":{"categories":[{"name":"Green"}]}}\n' };
const blocked = { blocked: "TypeError" };
const byGet = `/graphql?${new URLSearchParams({ query }).toString()}`;
const byPost = (headers: object) => ({
  method: "POST",
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify({ query }),
});

clause(
  "11.cors",
  "a browser lets a page of another origin send the headers that common clients add",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const headers = {
      Authorization: "Bearer x.y.z",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      tracestate: "shop=1",
      baggage: "customer=1",
      "sentry-trace": "771a43a4192642f0b136d5159a501700-7b9d4c8d6ab2-1",
      "apollographql-client-name": "shop",
      "apollographql-client-version": "1.0.0",
      "X-Request-Id": "of-the-shop",
      "Apollo-Require-Preflight": "true",
    };
    expect(await fetched("/graphql", byPost(headers))).toEqual(answer);
    const { status } = await fetched("/categories", {
      headers: { ...headers, "If-None-Match": '"of another time"' },
    });
    expect(status).toBe(200);
  },
);

clause(
  "11.cors",
  "a browser lets it send those of CORS_HEADERS, and no others",
  { doors: ["GraphQL"] },
  async () => {
    expect(await fetched("/graphql", byPost({ "X-Shop-Version": "7" }))).toEqual(answer);
    expect(await fetched("/graphql", byPost({ "X-Other": "7" }))).toEqual(blocked);
  },
);

clause(
  "10.http.get",
  "a browser sends a query by GET to another origin without asking first",
  { doors: ["GraphQL"] },
  async () => {
    const methods: string[] = [];
    const client = await page.context().newCDPSession(page);
    client.on("Network.requestWillBeSent", ({ request }) => void methods.push(request.method));
    await client.send("Network.enable");
    expect(await fetched(byGet)).toEqual(answer);
    await client.detach();
    expect(methods).toEqual(["GET"]);
  },
);

clause(
  "11.cors",
  "a browser that would send its credentials gets no answer for the page",
  { doors: ["REST", "GraphQL"] },
  async () => {
    for (const path of [byGet, "/categories"]) {
      expect(await fetched(path, { credentials: "include" })).toEqual(blocked);
      expect(await fetched(path)).toMatchObject({ status: 200 });
    }
  },
);

clause(
  "10.http.refused",
  "what a browser sends to another origin without asking first changes nothing",
  { doors: ["GraphQL"] },
  async () => {
    const body = JSON.stringify({
      query: 'mutation { subscribeToNewsletter(email: "mina@example.com") }',
    });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const options = { method: "POST", mode: "cors", headers: { "Content-Type": type }, body };
      expect(await fetched("/graphql", options)).toMatchObject({ status: 415 });
    }
    expect(await app.sql("SELECT email FROM newsletter_subscribers")).toEqual([]);
  },
);
