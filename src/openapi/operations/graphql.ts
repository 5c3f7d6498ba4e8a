import type { ErrorStatus } from "../../http/answer/error-body";
import { headersOf, type HeaderName } from "../headers";
import { refusedExample, requestExample } from "../graphql-messages";
import { openOperation, type PathItem } from "../path";
import { exampleOf, refusalName, TRANSPORT_REFUSALS } from "../refusals";

const tag = "GraphQL";

const reference = { $ref: "#/components/schemas/GraphQLAnswer" };

const executed = (description: string, headers: readonly HeaderName[] = []): object => ({
  description,
  headers: headersOf(["No-Store", "X-Session-Position", ...headers]),
  content: {
    "application/json": { schema: reference },
    "application/graphql-response+json": { schema: reference },
  },
});

/** A refusal before the operation runs. Bytes that are not a valid request are refused in REST's shape. */
const refused = (
  status: ErrorStatus,
  headers: readonly HeaderName[] = [],
  message?: string,
): object => ({
  description: "The request is refused before anything of it runs.",
  headers: headersOf(["No-Store", ...headers]),
  content: {
    "application/json": {
      schema: { anyOf: [reference, { $ref: `#/components/schemas/${refusalName(status)}` }] },
      examples: {
        "a request": { value: refusedExample(status, message) },
        ...(status in TRANSPORT_REFUSALS && { "other bytes": { value: exampleOf(status) } }),
      },
    },
    "application/graphql-response+json": {
      schema: reference,
      example: refusedExample(status, message),
    },
  },
});

const refusals = {
  400: refused(400, [], "Body must be valid JSON in UTF-8"),
  413: refused(413),
  415: refused(415),
  431: refused(431),
  500: refused(500),
  503: refused(503, ["Retry-After"]),
};

const responseName = (status: string): string =>
  `GraphQL${refusalName(Number(status) as ErrorStatus)}`;

/** The refusals that both methods have in common, by their names among the document's responses. */
export const graphqlResponses: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(refusals).map(([status, response]) => [responseName(status), response]),
);

const answers = {
  200: executed("The operation was run, or its document is refused."),
  406: executed("`Accept` allows no media type that there is."),
  ...Object.fromEntries(
    Object.keys(refusals).map((status) => [
      status,
      { $ref: `#/components/responses/${responseName(status)}` },
    ]),
  ),
};

const parameter = (name: string, description: string, example: string): object => ({
  name,
  in: "query",
  description,
  example,
  schema: { type: "string" },
});

/** The GraphQL endpoint (contract 10.http). */
export const graphqlPaths: Readonly<Record<string, PathItem>> = {
  "/graphql": {
    get: openOperation(
      {
        operationId: "graphqlQuery",
        tag,
        summary: "Run a GraphQL query",
        description:
          "Without a query, a browser is sent to the explorer. `schema.graphql` is the whole schema.",
        parameters: [
          parameter("query", "The document.", requestExample.query),
          parameter(
            "operationName",
            "Which of several operations to run.",
            requestExample.operationName,
          ),
          parameter(
            "variables",
            "The variables, as JSON.",
            JSON.stringify(requestExample.variables),
          ),
          parameter(
            "extensions",
            "The extensions, as JSON.",
            JSON.stringify(requestExample.extensions),
          ),
        ],
      },
      {
        ...answers,
        302: {
          description: "To the explorer.",
          headers: headersOf(["No-Store", "Location"]),
          content: {
            "text/html": { schema: { type: "string" } },
            "text/plain": { schema: { type: "string" } },
          },
        },
        405: {
          description: "The operation changes something.",
          headers: headersOf(["No-Store", "Allow"]),
          content: {
            "application/json": { schema: reference },
            "application/graphql-response+json": { schema: reference },
          },
        },
      },
    ),
    post: openOperation(
      {
        operationId: "graphql",
        tag,
        summary: "Run a GraphQL operation",
        description: "`schema.graphql` is the whole schema. Some of its fields need a token.",
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/GraphQLRequest" } },
          },
        },
      },
      answers,
    ),
  },
};
