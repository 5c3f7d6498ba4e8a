import { randomBytes } from "node:crypto";
import path from "node:path";
import { completeSettings, localSettings, productionSettings } from "../src/config";
import type { LocalSettings } from "../src/config/settings";
import { EXAMPLE_SECRET } from "../src/config/text-forms";
import { faultsOf, namesOf } from "./config/faults";
import { clause, clauseEach } from "./support/clause";

const SECRET = randomBytes(16).toString("hex");
const production = { DATABASE_URL: "postgres://shop@db:5432/shop", JWT_SECRET: SECRET };

clause("8.settings", "by default they are as documented", { doors: ["REST", "GraphQL"] }, () => {
  expect(localSettings({})).toMatchObject({
    server: { port: 3000, host: undefined },
    database: { url: undefined, namedStatements: true },
    migrations: { databaseUrl: undefined },
    tokens: { secret: undefined, ttl: 3600, loginTtl: 43_200 },
    passwords: { cost: 12 },
    login: { failureLimit: 10, addressFailureLimit: 50 },
    rateLimits: { orders: 600, newsletter: 20, lookups: 60 },
    newsletter: { confirmation: false },
    idempotencyKeys: { ttl: 86_400 },
    http: { bodyLimit: 102_400, keepAliveTimeout: 75 },
    graphql: {
      operationLimits: { maxDepth: 12, maxCost: 2000, maxAliases: 50, maxWeight: 1_000_000 },
      maxAnswer: 8_388_608,
    },
    dataDir: path.resolve(".data"),
    firstAdmin: undefined,
    logLevel: "info",
  });
});

clause("8.production", "it needs a database and a secret", { doors: ["REST", "GraphQL"] }, () => {
  expect(namesOf(faultsOf(() => productionSettings({})))).toEqual(["DATABASE_URL", "JWT_SECRET"]);
});

test("migrations connect directly where they are told to, else as the service does", () => {
  const [url, direct] = ["postgres://pooler/shop", "postgres://db/shop"];
  const settings = { ...production, DATABASE_URL: url };
  for (const read of [localSettings, productionSettings]) {
    expect(read(settings).migrations.databaseUrl).toBe(url);
    expect(read({ ...settings, MIGRATION_DATABASE_URL: direct })).toMatchObject({
      database: { url },
      migrations: { databaseUrl: direct },
    });
  }
});

test("all faults are named at once, each once, with what is wanted", () => {
  const wrong = {
    ...{ PORT: "http", DATABASE_URL: "mysql://db/shop", JWT_SECRET: "short", JWT_TTL: "0" },
    ...{ ADMIN_EMAIL: "nobody", ADMIN_PASSWORD: "short", BCRYPT_COST: "3" },
    ...{ BODY_LIMIT: "much", LOG_LEVEL: "loud" },
  };
  const faults = faultsOf(() => productionSettings(wrong));
  expect(namesOf(faults).toSorted()).toEqual(Object.keys(wrong).toSorted());
  for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+ must (be|have) .+/);
});

describe("webhooks", () => {
  test("go to public addresses alone in production, and with npm start to those of this machine, too", () => {
    expect(productionSettings(production).webhooks).toEqual({
      dispatch: true,
      privateAddresses: "off",
    });
    expect(localSettings({}).webhooks).toEqual({ dispatch: true, privateAddresses: "loopback" });
  });

  test.each<["off" | "loopback" | "on", string, boolean]>([
    ["off", "off", false],
    ["loopback", "on", true],
    ["on", "on", true],
  ])("may go to private addresses: %s, DISPATCH=%s", (privateAddresses, DISPATCH, dispatch) => {
    const set = { ...production, WEBHOOK_PRIVATE_ADDRESSES: privateAddresses, DISPATCH };
    for (const read of [productionSettings, localSettings]) {
      expect(read(set).webhooks).toEqual({ privateAddresses, dispatch });
    }
  });
});

describe("a carriage return, as the file of a Windows editor leaves it,", () => {
  const values = {
    ...production,
    ...{ MIGRATION_DATABASE_URL: "postgres://db/shop", HOST: "127.0.0.1", DATA_DIR: "data" },
    ...{ DATA_SECRET: SECRET, ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "twelve chars" },
    ...{ GRAPHQL_DOCUMENTS: "documents.json", PORT: "80", EXPLORER: "on", BODY_LIMIT: "1mb" },
    ...{ LOG_LEVEL: "info", METRICS: "9464" },
  };
  test.each(Object.entries(values))("is refused at the end of %s", (name, value) => {
    const { DATABASE_URL, JWT_SECRET, ADMIN_EMAIL, ADMIN_PASSWORD } = values;
    const admin = name.startsWith("ADMIN_") ? { ADMIN_EMAIL, ADMIN_PASSWORD } : {};
    const environment = { DATABASE_URL, JWT_SECRET, ...admin, [name]: `${value}\r` };
    expect(faultsOf(() => productionSettings(environment))).toEqual([
      `${name} must have no control characters, such as a carriage return at its end`,
    ]);
  });

  test("is refused within a secret of a list, and is nothing at the end of one", () => {
    const within = { ...production, JWT_PREVIOUS_SECRETS: `${SECRET}\r${SECRET}` };
    expect(namesOf(faultsOf(() => productionSettings(within)))).toEqual(["JWT_PREVIOUS_SECRETS"]);
    const lines = `${SECRET},\r\n  ${SECRET.toUpperCase()}\r\n`;
    const { tokens } = productionSettings({ ...production, JWT_PREVIOUS_SECRETS: lines });
    expect(tokens.previousSecrets).toEqual([SECRET, SECRET.toUpperCase()]);
  });

  test("so are other control characters", () => {
    for (const character of ["\n", "\t", "\0", "\u001b", "\u007f"]) {
      const faults = faultsOf(() => localSettings({ JWT_SECRET: SECRET + character }));
      expect(namesOf(faults)).toEqual(["JWT_SECRET"]);
    }
  });
});

test("a fault tells neither a secret nor a password", () => {
  const secret = "tooshort-S3CR3T";
  const message = faultsOf(() =>
    productionSettings({
      JWT_SECRET: secret,
      ADMIN_PASSWORD: "p4ss",
      DATABASE_URL: "x://u:p4ss@db/x",
    }),
  ).join("\n");
  expect(message).not.toContain(secret);
  expect(message).not.toContain("p4ss");
});

test.each<[string, (settings: LocalSettings) => number, least: number, most: number]>([
  ["PORT", ({ server }) => server.port, 0, 65_535],
  ["DATABASE_POOL_SIZE", ({ database }) => database.poolSize, 1, 1000],
  ["JWT_TTL", ({ tokens }) => tokens.ttl, 1, 31_536_000],
  ["LOGIN_TTL", ({ tokens }) => tokens.loginTtl, 1, 31_536_000],
  ["BCRYPT_COST", ({ passwords }) => passwords.cost, 4, 20],
  ["KEEP_ALIVE_TIMEOUT", ({ http }) => http.keepAliveTimeout, 1, 3600],
  ["IDEMPOTENCY_TTL", ({ idempotencyKeys }) => idempotencyKeys.ttl, 1, 31_536_000],
  ["GRAPHQL_MAX_COST", ({ graphql }) => graphql.operationLimits.maxCost, 1, 1_000_000_000],
])("%s reaches from its least to its most, and takes integers alone", (name, read, least, most) => {
  for (const value of [least, most])
    expect(read(localSettings({ [name]: `${value}` }))).toBe(value);
  const refused = [`${least - 1}`, `${most + 1}`, "1.5", "1e1", "0x1", " 1", "+1", "ten", "NaN"];
  for (const text of [...refused, "9".repeat(30)]) {
    const names = namesOf(faultsOf(() => localSettings({ [name]: text })));
    expect([text, names]).toEqual([text, [name]]);
  }
});

test.each([
  ["102400", 102_400],
  ["1b", 1],
  ["100kb", 102_400],
  ["100KB", 102_400],
  ["1mb", 1_048_576],
])("BODY_LIMIT %s is %i bytes", (text, bytes) => {
  expect(localSettings({ BODY_LIMIT: text }).http.bodyLimit).toBe(bytes);
});

test.each(["0", "0kb", "-1", "1.5kb", "1gb", "kb", "1 kb", "1e3"])("BODY_LIMIT %p", (text) => {
  expect(namesOf(faultsOf(() => localSettings({ BODY_LIMIT: text })))).toEqual(["BODY_LIMIT"]);
});

test.each<[string, (settings: LocalSettings) => boolean]>([
  ["EXPLORER", ({ explorer }) => explorer],
  ["INTROSPECTION", ({ graphql }) => graphql.introspection],
])("%s is on or off", (name, read) => {
  expect(read(localSettings({}))).toBe(true);
  expect(read(localSettings({ [name]: "on" }))).toBe(true);
  expect(read(localSettings({ [name]: "off" }))).toBe(false);
  expect(namesOf(faultsOf(() => localSettings({ [name]: "maybe" })))).toEqual([name]);
});

test("CORS_HEADERS are names of headers", () => {
  expect(localSettings({}).http.corsHeaders).toEqual([]);
  const given = { CORS_HEADERS: "X-Shop-Version, x-campaign" };
  expect(localSettings(given).http.corsHeaders).toEqual(["X-Shop-Version", "x-campaign"]);
  for (const text of ["*", "X Shop", "X-Shop:1", "X-Shop,", "X-Shöp", "X-Shop\r\nX-Other"]) {
    const faults = faultsOf(() => localSettings({ CORS_HEADERS: text }));
    expect([text, namesOf(faults)]).toEqual([text, ["CORS_HEADERS"]]);
  }
});

test("PUBLIC_ORIGIN is one that browsers bind passkeys to", () => {
  const read = (text: string) => localSettings({ PUBLIC_ORIGIN: text }).publicOrigin;
  expect(read("https://Shop.example.com/")).toBe("https://shop.example.com");
  expect(read("http://localhost:3000")).toBe("http://localhost:3000");
  for (const text of ["http://shop.example.com", "https://127.0.0.1", "https://[::1]", "localhost"])
    expect(namesOf(faultsOf(() => read(text)))).toEqual(["PUBLIC_ORIGIN"]);
});

describe("CORS_ORIGINS", () => {
  const read = (text: string) => localSettings({ CORS_ORIGINS: text }).http.corsOrigins;

  test("are taken as a browser sends them, however they are written", () => {
    const origins = [
      ["https://shop.example.com", "https://shop.example.com"],
      ["https://shop.example.com/", "https://shop.example.com"],
      ["HTTPS://Shop.Example.com:443/", "https://shop.example.com"],
      ["http://localhost:5173", "http://localhost:5173"],
      ["https://teeläden.example", "https://xn--teelden-8wa.example"],
      ["http://[::1]:8080/", "http://[::1]:8080"],
    ];
    for (const [written, sent] of origins) expect(read(written!)).toEqual([sent]);
    expect(read("https://a.example/, http://b.example:80\n")).toEqual([
      "https://a.example",
      "http://b.example",
    ]);
  });

  test.each([
    ...["shop.example.com", "https://shop.example.com/shop", "https://shop.example.com/?", "*"],
    ...["https://*.example.com", "https://ada:word@shop.example.com", "https:shop.example.com"],
    ...["ftp://shop.example.com", "null", "https://shop.example.com:x", "https://a.ex\rample", ""],
  ])("name the entry that is wrong: %j", (entry) => {
    expect(faultsOf(() => read(`https://a.example,${entry},https://b.example`))).toEqual([
      `CORS_ORIGINS must be a comma-separated list, each element an origin such as https://shop.example.com; ${JSON.stringify(entry)} is not`,
    ]);
  });
});

test("a list of secrets names the place of a wrong one, and not its text", () => {
  const environment = {
    ...production,
    JWT_PREVIOUS_SECRETS: `${SECRET},tooshort`,
    DATABASE_REPLICA_URLS: "x://u:p4ss@db/x",
  };
  const faults = faultsOf(() => productionSettings(environment));
  expect(faults).toEqual([
    expect.stringMatching(/^DATABASE_REPLICA_URLS .*; number 1 is not$/),
    expect.stringMatching(/^JWT_PREVIOUS_SECRETS .*; number 2 is not$/),
  ]);
  expect(faults.join()).not.toMatch(/tooshort|p4ss/);
});

test.each([
  "postgres://u:p@db:5432/shop",
  "postgresql://db/shop?sslmode=require",
  "postgres://u:p@a:5432,b:5433/shop?target_session_attrs=read-write",
  "postgres://u:p@a,[::1]:5433/shop?sslmode=require&target_session_attrs=primary",
  "postgres://a,b/shop",
])("%s is a connection string", (url) => {
  const environment = { DATABASE_URL: url, MIGRATION_DATABASE_URL: url };
  expect(localSettings(environment)).toMatchObject({
    database: { url },
    migrations: { databaseUrl: url },
  });
});

test.each([
  ...["db", "mysql://db/shop", "http://db/shop", "postgres://db", "postgres://db/"],
  ...["postgres://a,b", "postgres://a,/shop", "postgres://a:5432,b:x/shop", "mysql://a,b/shop"],
  "postgres://a,b/shop?target_session_attrs=any",
  "postgres://db/shop?host=a,b",
])("%s is no connection string of a database", (url) => {
  const environment = { DATABASE_URL: url, MIGRATION_DATABASE_URL: url };
  expect(namesOf(faultsOf(() => localSettings(environment)))).toEqual([
    "DATABASE_URL",
    "MIGRATION_DATABASE_URL",
  ]);
});

clauseEach(
  "8.production",
  "a secret that is too short or published is refused by every entry",
  { doors: ["REST", "GraphQL"] },
  { "of 31 characters": SECRET.slice(1), "that the example publishes": EXAMPLE_SECRET },
  (secret) => {
    for (const name of ["JWT_SECRET", "DATA_SECRET"]) {
      const environment = { ...production, [name]: secret };
      expect(namesOf(faultsOf(() => productionSettings(environment)))).toEqual([name]);
      expect(namesOf(faultsOf(() => localSettings(environment)))).toEqual([name]);
    }
    for (const name of ["JWT_PREVIOUS_SECRETS", "DATA_PREVIOUS_SECRETS"]) {
      const environment = { ...production, [name]: `${SECRET},${secret}` };
      expect(namesOf(faultsOf(() => productionSettings(environment)))).toEqual([name]);
    }
  },
);

describe("the secrets for data", () => {
  const [own, former, formerToken] = ["own", "former", "token"].map((name) => name.repeat(16));
  const dataOf = (environment: Record<string, string | undefined>) =>
    productionSettings({ ...production, ...environment }).data;
  const derived = dataOf({}).secret;

  test("are those that are set", () => {
    const environment = { DATA_SECRET: own, DATA_PREVIOUS_SECRETS: `${former}, ${derived}` };
    expect(dataOf(environment)).toEqual({ secret: own, previousSecrets: [former, derived] });
  });

  test("are derived from those of tokens where none are set, and tell nothing of them", () => {
    expect(derived).toMatch(/^[\w-]{43}$/);
    expect(derived).not.toContain(SECRET);
    const rotated = dataOf({ JWT_SECRET: formerToken, JWT_PREVIOUS_SECRETS: SECRET });
    expect(rotated.previousSecrets).toEqual([derived]);
    expect(rotated.secret).not.toBe(derived);
    expect(dataOf({ JWT_SECRET: formerToken })).toEqual({ ...rotated, previousSecrets: [] });
  });

  test("that were derived are still accepted once a secret is set, until others are named", () => {
    expect(dataOf({ DATA_SECRET: own })).toEqual({ secret: own, previousSecrets: [derived] });
    const environment = { DATA_SECRET: own, JWT_PREVIOUS_SECRETS: formerToken };
    const before = dataOf({ JWT_SECRET: formerToken }).secret;
    expect(dataOf(environment).previousSecrets).toEqual([derived, before]);
    const named = { ...environment, DATA_PREVIOUS_SECRETS: former };
    expect(dataOf(named).previousSecrets).toEqual([former]);
  });

  test("of a local start come with the secret that it has generated", () => {
    const settings = completeSettings(localSettings({}), { databaseUrl: "", secret: SECRET });
    expect(settings.data).toEqual({ secret: derived, previousSecrets: [] });
  });
});

test("the first administrator needs both an address and a password that can be set", () => {
  const given = { ADMIN_EMAIL: "owner@example.com", ADMIN_PASSWORD: "twelve chars" };
  expect(localSettings(given).firstAdmin).toEqual({
    email: given.ADMIN_EMAIL,
    password: given.ADMIN_PASSWORD,
  });
  const refused: Record<string, string>[] = [
    { ADMIN_EMAIL: given.ADMIN_EMAIL },
    { ADMIN_PASSWORD: given.ADMIN_PASSWORD },
    { ...given, ADMIN_EMAIL: "owner" },
    { ...given, ADMIN_PASSWORD: "eleven char" },
    { ...given, ADMIN_PASSWORD: "é".repeat(37) },
  ];
  for (const environment of refused) {
    expect(faultsOf(() => localSettings(environment))).toHaveLength(1);
  }
});
