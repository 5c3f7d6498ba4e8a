const request = {
  type: "object",
  properties: {
    query: { type: "string", description: "The document." },
    operationName: { type: ["string", "null"], description: "Which of several operations to run." },
    variables: { type: ["object", "null"], description: "The operation's variables." },
    extensions: { type: ["object", "null"], description: 'For example `{ "cost": true }`.' },
  },
};

const position = { type: "integer", minimum: 1 };

/** What each error says in `extensions`; `http` is the body that REST would answer. */
const extensions = {
  type: "object",
  properties: {
    code: { type: "string", pattern: "^[A-Z_]+$" },
    http: {
      type: "object",
      properties: {
        statusCode: { type: "integer", minimum: 400, maximum: 599 },
        message: {
          oneOf: [{ type: "string" }, { type: "array", items: { type: "string" }, maxItems: 500 }],
        },
        error: { type: "string" },
        retryAfter: { type: "integer", minimum: 0 },
      },
      required: ["statusCode", "message", "error"],
      additionalProperties: false,
    },
  },
  required: ["code", "http"],
  additionalProperties: false,
};

const error = {
  type: "object",
  properties: {
    message: { type: "string" },
    locations: {
      type: "array",
      items: {
        type: "object",
        properties: { line: position, column: position },
        required: ["line", "column"],
        additionalProperties: false,
      },
    },
    path: { type: "array", items: { type: ["string", "integer"] } },
    extensions,
  },
  required: ["message", "extensions"],
  additionalProperties: false,
};

const count = { type: "integer", minimum: 0 };

const cost = {
  type: "object",
  description: "What the operation costs, if that was asked for.",
  properties: { cost: count, maxCost: count, depth: count },
  required: ["cost", "maxCost", "depth"],
  additionalProperties: false,
};

const answer = {
  type: "object",
  properties: {
    data: { type: ["object", "null"], description: "What the operation selects." },
    errors: { type: "array", items: error, minItems: 1, maxItems: 10 },
    extensions: {
      type: "object",
      properties: { cost },
      additionalProperties: false,
    },
  },
  anyOf: [{ required: ["data"] }, { required: ["errors"] }],
  additionalProperties: false,
};

/** The schemas of GraphQL's messages; schema.graphql says what `data` holds. */
export const graphqlSchemas = {
  GraphQLRequest: { ...request, examples: [{ query: "{ categories { name } }" }] },
  GraphQLAnswer: { ...answer, examples: [{ data: { categories: [{ name: "Green tea" }] } }] },
};
