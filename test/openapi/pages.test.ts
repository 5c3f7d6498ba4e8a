import { version } from "../../package.json";
import { startApp, useApp } from "../support/app";
import { clause } from "../support/clause";
import { openapi } from "../support/openapi";
import { expectRefused } from "../support/refusals";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const app = useApp();

const links = {
  docs: "/docs",
  openapi: "/openapi.json",
  explorer: "/explorer",
  graphql: "/graphql",
  live: "/health/live",
  ready: "/health/ready",
};

clause("11.home", "a browser gets a page whose links lead somewhere", async () => {
  const { headers, text } = await app.http.get("/").set("Accept", BROWSER).expect(200);
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    vary: "Origin, Accept",
  });
  const found = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, address]) => address!);
  expect(found).toEqual([...Object.values(links), "/products"]);
  for (const each of found)
    await app.http.get(each).set("Accept", BROWSER).redirects(1).expect(200);
});

test.each(["*/*", "application/json", "application/json, text/html;q=0.9", "image/png"])(
  "[11.home] a client that takes %s gets the links as JSON",
  async (accept) => {
    const { headers, body } = await app.http.get("/").set("Accept", accept).expect(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(body).toEqual({ name: "Tea shop", links });
  },
);

clause("9.openapi", "the document is served, with the service's version", async () => {
  const { headers, body } = await app.http.get("/openapi.json").expect(200);
  expect(body).toEqual(openapi);
  expect(body).toMatchObject({ info: { version } });
  expect(headers).toMatchObject({
    "cache-control": "no-cache",
    "content-type": "application/json; charset=utf-8",
  });
  const again = app.http.get("/openapi.json").set("If-None-Match", String(headers.etag));
  expect((await again.expect(304)).headers.etag).toBe(headers.etag);
});

test("everything that /docs names is served, and nothing of it is inline or from elsewhere", async () => {
  const { headers, text } = await app.http.get("/docs").expect(200);
  const policy = String(headers["content-security-policy"]);
  expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toMatch(/unsafe|http|\*/);
  expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/)|https?:/);
  const assets = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, asset]) => asset!);
  expect(assets).toHaveLength(4);
  for (const asset of assets) {
    const { headers: served } = await app.http.get(asset).expect(200);
    expect(served).toMatchObject({
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
  }
});

test("pages that are off are nowhere, and not linked", async () => {
  const without = await startApp({ explorer: false });
  try {
    for (const path of ["/docs", "/docs/assets/docs.js", "/explorer"]) {
      expectRefused(await without.http.get(path), 404, `Cannot GET ${path}`);
    }
    const { docs: _, explorer: __, ...others } = links;
    const { body } = await without.http.get("/");
    expect(body).toEqual({ name: "Tea shop", links: others });
    const { text } = await without.http.get("/").set("Accept", BROWSER);
    expect(text).not.toMatch(/docs|explorer/);
    await without.http.get("/openapi.json").expect(200);
  } finally {
    await without.close();
  }
});
