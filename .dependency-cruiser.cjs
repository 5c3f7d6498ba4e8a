// Who may import whom. A room's rule lists what the room may import; all else of ours is refused.

/** A path pattern for modules of src; a name is that of a file or a folder. */
const ours = (...names) => `^src/(${names.join("|")})(/|[.]ts$)`;

/** A path pattern for packages. A name is a regular expression. */
const packages = (...names) => `(^|node_modules/)(@types/)?(${names.join("|")})(/|$)`;

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const typeImports = ["type-only", "type-import"];

/** `imports`: what the room may import; `types`: what it may import as types only. */
const room = (name, { imports = [], types = [] }) => [
  forbid(
    `${name}-imports`,
    `${name} imports nothing of ours but ${[...imports, ...types].join(", ") || "itself"}.`,
    { path: ours(name) },
    { path: "^(src|test|scripts)/", pathNot: ours(name, ...imports, ...types) },
  ),
  ...types.map((type) =>
    forbid(
      `${name}-imports-${type}-as-types`,
      `${name} imports ${type} with "import type" only.`,
      { path: ours(name) },
      { path: ours(type), dependencyTypesNot: typeImports },
    ),
  ),
];

const rooms = [
  ...room("vocabulary", {}),
  ...room("embedded-postgres", {}),
  ...room("config", { imports: ["vocabulary"] }),
  ...room("models", { imports: ["vocabulary"] }),
  ...room("database", { imports: ["models", "vocabulary"], types: ["config"] }),
  ...room("lists", { imports: ["database", "vocabulary"], types: ["config"] }),
  ...room("reads", { imports: ["database", "lists", "vocabulary"], types: ["config"] }),
  ...room("services", {
    imports: ["database", "lists", "models", "reads", "vocabulary"],
    types: ["config"],
  }),
  ...room("files", { imports: ["services", "vocabulary"] }),
  ...room("admin-files", { imports: ["files", "http", "services", "vocabulary"] }),
  ...room("http", { imports: ["vocabulary"] }),
  ...room("process", { imports: ["http", "vocabulary"], types: ["config"] }),
  ...room("observability", { imports: ["http", "vocabulary"], types: ["config"] }),
  ...room("webhooks", { imports: ["vocabulary"], types: ["config"] }),
  ...room("explorer", {}),
  ...room("graphql", {
    imports: ["http", "lists", "reads", "services", "vocabulary"],
    types: ["config"],
  }),
  ...room("rest", {
    imports: ["http", "lists", "reads", "services", "vocabulary"],
    types: ["config"],
  }),
  ...room("demo", { imports: ["database", "lists", "vocabulary"] }),
  ...room("wiring", {
    imports: ["database", "http", "observability", "process", "services", "vocabulary", "webhooks"],
    types: ["config"],
  }),
  ...room("app", {
    imports: [
      "admin-files",
      "database",
      "explorer",
      "graphql",
      "http",
      "observability",
      "rest",
      "services",
      "vocabulary",
      "wiring",
    ],
    types: ["config"],
  }),
  ...room("main", {
    imports: ["app", "config", "observability", "process", "vocabulary", "wiring"],
  }),
  ...room("local", {
    imports: [
      "app",
      "config",
      "database",
      "demo",
      "embedded-postgres",
      "observability",
      "process",
      "services",
      "vocabulary",
    ],
  }),
  ...room("cli", {
    imports: [
      "config",
      "database",
      "demo",
      "files",
      "lists",
      "local",
      "observability",
      "process",
      "services",
      "vocabulary",
      "wiring",
    ],
  }),
];
const known = rooms.map(({ name }) => name.replace(/-imports.*/, ""));

/** What the services of all nouns share, and the nouns. */
const sharedServices = "^src/services/(input|limits)/";
const nouns = "^src/services/(administrators|catalogue|newsletter|orders)/";

/** Shows the log of `npm start` to a person. */
const readableLog = "^src/local/readable-log";

const graphqlPackages = ["@apollo/[^/]+", "@as-integrations/[^/]+", "graphql[^/]*"];
const webPackages = ["express[^/]*", ...graphqlPackages];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...rooms,
    forbid(
      "rooms-are-known",
      "Every module of src belongs to a room that has a rule here.",
      { path: "^src/" },
      { path: "^src/", pathNot: ours(...known) },
    ),
    forbid(
      "no-imports-from-tests",
      "Nothing in src needs test or scripts.",
      { path: "^src/" },
      { path: "^(test|scripts)/" },
    ),
    forbid(
      "entries-are-not-imported",
      "main is where a process begins, not a module.",
      { path: "^src/" },
      { path: "^src/(main|(cli|local)/main)[.]ts$" },
    ),
    forbid(
      "embedded-postgres-by-its-index",
      "What others need of embedded-postgres stands in its index.",
      { path: "^src/", pathNot: ours("embedded-postgres") },
      { path: ours("embedded-postgres"), pathNot: "^src/embedded-postgres/index[.]ts$" },
    ),
    forbid(
      "no-doors-in-the-core",
      "The core knows neither HTTP nor GraphQL.",
      {
        path: ours("config", "database", "lists", "models", "reads", "services", "vocabulary"),
      },
      { path: packages(...webPackages) },
    ),
    forbid(
      "type-graphql-in-inputs-only",
      "Of the core, only the services' inputs carry TypeGraphQL's decorators.",
      {
        path: "^src/",
        pathNot:
          "^src/(graphql/|services/input/|services/[^/]+/(inputs(/|[.]ts$)|[^/]+-input[.]ts$))",
      },
      { path: packages("type-graphql") },
    ),
    forbid(
      "shared-services-know-no-noun",
      "What all services share knows none of them.",
      { path: sharedServices },
      { path: nouns },
    ),
    forbid(
      "nouns-are-apart",
      "The services of one noun do not import those of another.",
      { path: nouns },
      { path: nouns, pathNot: "^src/services/$1/" },
    ),
    forbid(
      "graphql-in-its-room",
      "REST and what both doors share know nothing of GraphQL.",
      { path: ours("rest", "http") },
      { path: packages(...graphqlPackages) },
    ),
    forbid(
      "prometheus-in-its-room",
      "What is counted does not depend on who counts it.",
      { path: "^src/", pathNot: "^src/observability/metrics/" },
      { path: packages("prom-client") },
    ),
    forbid(
      "admin-is-apart",
      "The admin app shares nothing with the service but schema.graphql.",
      { path: "^admin/" },
      { path: "^(src|test|scripts|bench|examples)/" },
    ),
    forbid(
      "nothing-imports-admin",
      "The service serves the admin app as files.",
      { path: "^src/" },
      { path: "^admin/" },
    ),
    forbid(
      "no-cycles",
      "No cycles, but between models through thunks.",
      { path: "^src/", pathNot: ours("models") },
      { circular: true, viaOnly: { dependencyTypesNot: typeImports } },
    ),
    forbid(
      "no-development-packages",
      "What ships needs no devDependency; npm start may use two, each in its place.",
      { path: "^src/", pathNot: [ours("embedded-postgres"), readableLog] },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: typeImports, pathNot: "/@types/" },
    ),
    forbid(
      "one-development-package",
      "The one devDependency that src knows is embedded-postgres.",
      { path: ours("embedded-postgres") },
      {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: typeImports,
        pathNot: ["/@types/", packages("embedded-postgres")],
      },
    ),
    forbid(
      "one-package-for-a-readable-log",
      "The one devDependency that src/local knows is pino-pretty, and it can do without.",
      { path: readableLog },
      {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: typeImports,
        pathNot: ["/@types/", packages("pino-pretty")],
      },
    ),
    forbid(
      "packages-are-declared",
      "Every package that is imported stands in package.json.",
      { path: "^src/" },
      { dependencyTypes: ["npm-no-pkg", "npm-unknown"], dependencyTypesNot: typeImports },
    ),
    forbid(
      "imports-resolve",
      "Every import leads somewhere.",
      { path: "^src/" },
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: "specify",
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
