import { startApp, useApp } from "../support/app";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const app = useApp();

test("the page allows nothing from elsewhere and no inline scripts", async () => {
  const { headers, text } = await app.http.get("/explorer").expect(200);
  const policy = String(headers["content-security-policy"]);
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy.replace("style-src-attr 'unsafe-inline'", "")).not.toMatch(/unsafe|http|\*/);
  expect(text).toContain(`nonce="${nonce}"`);
  expect(text).not.toMatch(/<script(?![^>]* src="\/explorer\/)|https?:/);
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  const again = await app.http.get("/explorer");
  expect(again.headers["content-security-policy"]).not.toBe(policy);
});

test("everything that the page names is served, and asked for again when it changes", async () => {
  const { text } = await app.http.get("/explorer");
  const assets = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  expect(assets).toHaveLength(8);
  for (const asset of assets) {
    const { headers } = await app.http.get(asset).expect(200);
    expect(headers).toMatchObject({
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    await app.http.get(asset).set("If-None-Match", String(headers.etag)).expect(304);
  }
});

test("its files are sent compressed to a client that takes brotli, and plain to others", async () => {
  const file = "/explorer/assets/graphiql.min.css";
  const ask = async (encodings: string) => {
    const answer = await fetch(app.url + file, { headers: { "Accept-Encoding": encodings } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("text/css; charset=utf-8");
    expect(answer.headers.get("Vary")).toBe("Origin, Accept-Encoding");
    return { headers: answer.headers, text: await answer.text() };
  };
  const compressed = await ask("gzip, deflate, br");
  const plain = await ask("gzip, br;q=0");

  expect(compressed.headers.get("Content-Encoding")).toBe("br");
  expect(plain.headers.get("Content-Encoding")).toBeNull();
  expect(compressed.text).toBe(plain.text);
  expect(Number(plain.headers.get("Content-Length"))).toBe(Buffer.byteLength(plain.text));
  expect(compressed.headers.get("ETag")).not.toBe(plain.headers.get("ETag"));
});

test.each([
  "/explorer/assets/../page.html",
  "/explorer/assets/%2e%2e/page.html",
  "/explorer/assets/graphiql.min.css.br",
  "/explorer/assets/",
  "/explorer/nope",
])("%s is not there", async (path) => {
  const { body } = await app.http.get(path).expect(404);
  expect(body).toMatchObject({ statusCode: 404, error: "Not Found" });
});

test("a browser that opens the GraphQL door is sent to the explorer", async () => {
  const { headers } = await app.http.get("/graphql").set("Accept", BROWSER).expect(302);
  expect(headers).toMatchObject({ location: "/explorer", vary: "Origin, Accept" });
});

test.each([
  ["a query", "/graphql?query={__typename}", BROWSER],
  ["a client that takes JSON", "/graphql", "application/json, text/html;q=0.9"],
  ["a client that takes anything", "/graphql", "*/*"],
])("the GraphQL door answers %s itself", async (_label, path, accept) => {
  const { headers } = await app.http
    .get(path)
    .set("Accept", accept)
    .set("Apollo-Require-Preflight", "true");
  expect(headers.location).toBeUndefined();
  expect(headers["content-type"]).toMatch(/json/);
});

test("the explorer can be switched off", async () => {
  const without = await startApp({ explorer: false });
  try {
    await without.http.get("/explorer").expect(404);
    await without.http.get("/explorer/assets/explorer.js").expect(404);
    const { headers } = await without.http.get("/graphql").set("Accept", BROWSER);
    expect(headers.location).toBeUndefined();
  } finally {
    await without.close();
  }
});
