import { serverAudits } from "graphql-http";
import { startReplica, useApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { send, sendJson, type RawRequest } from "../support/raw-http";
import { refusedOperation } from "../support/refusals";
import { everythingStored } from "../support/stored";

jest.setTimeout(60_000);

const app = useApp();

const post = (body: string, headers: Record<string, string> = {}) =>
  sendJson(app.url, "POST", "/graphql", body, headers);
const preflighted = { "apollo-require-preflight": "true" };

/** Runs every audit of GraphQL over HTTP; by level, the names of those that pass and that don't. */
async function audit(url: string) {
  const levels = { MUST: [0, []], SHOULD: [0, []], MAY: [0, []] } as Record<
    "MUST" | "SHOULD" | "MAY",
    [passed: number, failed: string[]]
  >;
  for (const each of serverAudits({ url: `${url}/graphql` })) {
    const [, level] = /^(MUST|SHOULD|MAY)\b/.exec(each.name) ?? [];
    const counted = levels[level as keyof typeof levels];
    const { status } = await each.fn();
    if (status === "ok") counted[0] += 1;
    else counted[1].push(each.name);
  }
  return levels;
}

test("all 61 audits of GraphQL over HTTP pass", async () => {
  expect(await audit(app.url)).toEqual({ MUST: [13, []], SHOULD: [23, []], MAY: [25, []] });
});

const json = { "content-type": "application/json" };
const query = '{"query":"{ categories { id } }"}';
const to = (method: string, rest = "") => ({ method, path: `/graphql${rest}` });
const mediaType = refusedOperation(
  415,
  "Content-Type must be application/json in UTF-8",
  "BAD_REQUEST",
);

graphqlClauseEach<[RawRequest, number, object]>(
  "10.http.refused",
  "what is no request for an operation is refused in JSON",
  {
    "malformed JSON": [
      { ...to("POST"), headers: json, body: '{"query":' },
      400,
      refusedOperation(400, "Body must be valid JSON in UTF-8", "BAD_REQUEST"),
    ],
    "a batch": [
      { ...to("POST"), headers: json, body: `[${query}]` },
      400,
      refusedOperation(400, "Body must be a JSON object", "BAD_REQUEST"),
    ],
    "too large a body": [
      { ...to("POST"), headers: json, body: " ".repeat(102_401) },
      413,
      refusedOperation(413, "Payload Too Large", "BAD_REQUEST"),
    ],
    ...Object.fromEntries(
      [
        ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
        "application/json; charset=utf-16",
      ].map((type): [string, [RawRequest, number, object]] => [
        `a body of ${type}`,
        [{ ...to("POST"), headers: { "content-type": type }, body: query }, 415, mediaType],
      ]),
    ),
  },
  async ([request, status, body]) => {
    const answer = await send(app.url, request);
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(answer.headers["content-type"]).toMatch(/^application\/json\b/);
  },
);

graphqlClauseEach<[RawRequest, number]>(
  "10.http.get",
  "other ways of asking are refused in JSON, with a status",
  {
    "a mutation by GET": [to("GET", "?query=mutation{__typename}"), 405],
    "a mutation by GET beside a query": [
      to("GET", "?query=query+A{__typename}mutation+B{__typename}&operationName=B"),
      405,
    ],
    "a document given twice": [to("GET", "?query={__typename}&query={__typename}"), 400],
    PUT: [{ ...to("PUT"), headers: json, body: query }, 405],
    PATCH: [{ ...to("PATCH"), headers: json, body: query }, 405],
    DELETE: [{ ...to("DELETE"), headers: json }, 405],
    "an answer in a media type that there is none in": [
      { ...to("POST"), headers: { ...json, accept: "text/plain" }, body: query },
      406,
    ],
  },
  async ([request, status]) => {
    const answer = await send(app.url, request);
    const http = expect.objectContaining({ message: expect.any(String) }) as object;
    const error = { message: expect.any(String), extensions: { code: "BAD_REQUEST", http } };
    expect([answer.status, answer.body]).toEqual([status, { errors: [error] }]);
    expect(answer.headers["content-type"]).toMatch(/^application\/json\b/);
  },
);

/** The query string of a GET as urql sends it. */
const asked = (query: string, variables: object = {}) =>
  `/graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString()}`;

const accept =
  "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed";

graphqlClause("10.http.get", "a query by GET needs no header of its own", async () => {
  const path = asked("query All($n: Int!) { products(pageSize: $n) { meta { pageSize } } }", {
    n: 7,
  });
  const { status, body } = await send(app.url, { method: "GET", path, headers: { accept } });
  expect([status, body]).toEqual([200, { data: { products: { meta: { pageSize: 7 } } } }]);
});

graphqlClause("10.http.get", "a GET changes nothing, whoever sends it", async () => {
  const before = await everythingStored(app);
  for (const mutation of [
    'mutation { subscribeToNewsletter(email: "a@example.com") }',
    'mutation { createCategory(input: { name: "By GET" }) { id } }',
  ]) {
    const headers = { authorization: app.asAdmin, ...preflighted };
    const answer = await send(app.url, { method: "GET", path: asked(mutation), headers });
    expect([answer.status, answer.headers.allow]).toEqual([405, "POST"]);
  }
  expect(await everythingStored(app)).toEqual(before);
});

graphqlClause("10.http.csrf", "with GRAPHQL_CSRF, a GET needs a header", async () => {
  const guarded = await startReplica(app, { graphql: { csrfPrevention: true } });
  try {
    const read = (headers: Record<string, string>) =>
      send(guarded.url, { method: "GET", path: asked("{ categories { id } }"), headers });
    const answered = [200, { data: { categories: [] } }];
    for (const name of ["apollo-require-preflight", "x-apollo-operation-name"]) {
      const { status, body } = await read({ [name]: "true" });
      expect([status, body]).toEqual(answered);
      // What was answered is not kept for those that come without.
      const refused = await read({});
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { errors: [{ extensions: { code: "BAD_REQUEST" } }] },
      ]);
    }
    const posted = await sendJson(guarded.url, "POST", "/graphql", query);
    expect([posted.status, posted.body]).toEqual(answered);
  } finally {
    await guarded.close();
  }
});

const tooDeep = `{ products { data { ${"category { products { data { ".repeat(4)} id ${"} } }".repeat(4)} } } }`;

graphqlClauseEach<[string, number, string]>(
  "10.http",
  "what is refused has a status of its own in application/graphql-response+json alone",
  {
    "a document that does not parse": ["{", 400, "GRAPHQL_PARSE_FAILED"],
    "a document that does not validate": ["{ nope }", 400, "GRAPHQL_VALIDATION_FAILED"],
    "an operation beyond the limits": [tooDeep, 400, "BAD_USER_INPUT"],
    "an operation that fails": ["{ orders { data { id } } }", 200, "UNAUTHENTICATED"],
  },
  async ([document, own, code]) => {
    const body = JSON.stringify({ query: document });
    for (const [type, status] of [
      ["application/json", 200],
      ["application/graphql-response+json", own],
    ] as const) {
      const answer = await post(body, { accept: type });
      const answered = answer.headers["content-type"]?.split(";")[0];
      expect([answer.status, answered]).toEqual([status, type]);
      expect(answer.body).toMatchObject({ errors: [{ extensions: { code } }] });
    }
  },
);

graphqlClause("10.http.hashes", "a hash in place of a document is refused", async () => {
  const persistedQuery = { version: 1, sha256Hash: "0".repeat(64) };
  const logged = app.log.length;
  const { body } = await post(JSON.stringify({ extensions: { persistedQuery } }));
  const extensions = { code: "PERSISTED_QUERY_NOT_SUPPORTED", http: { statusCode: 400 } };
  expect(body).toMatchObject({ errors: [{ message: "PersistedQueryNotSupported", extensions }] });
  expect(app.log.slice(logged).join("")).not.toContain("unexpected failure");
});

graphqlClause("10.http.path", "the path ignores letter case and a trailing slash", async () => {
  const answered = await sendJson(app.url, "POST", "/GraphQL/", query);
  expect([answered.status, answered.body]).toEqual([200, { data: { categories: [] } }]);
  expect((await sendJson(app.url, "POST", "/graphql/x", query)).status).toBe(404);
});
