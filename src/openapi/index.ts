import type { GraphQLSchema } from "graphql";
import { graphqlSchemas } from "./graphql-messages";
import { headers, headersOfEveryAnswer } from "./headers";
import { describedBy, inputSchema, type DescriptionOf } from "./input-schema";
import { describeOperation, type ShopOperation } from "./operation";
import { categoryOperations } from "./operations/categories";
import { graphqlPaths, graphqlResponses } from "./operations/graphql";
import { healthPaths } from "./operations/health";
import { loginOperations } from "./operations/login";
import { orderOperations } from "./operations/orders";
import { pagePaths } from "./operations/pages";
import { productOperations } from "./operations/products";
import { routes } from "../rest/routes";
import type { PathItem } from "./path";
import {
  commonStatuses,
  refusalName,
  refusalResponse,
  refusalSchema,
  refusalStatuses,
} from "./refusals";
import { shapes } from "./shapes";

const operations: readonly ShopOperation[] = [
  ...loginOperations,
  ...categoryOperations,
  ...productOperations,
  ...orderOperations,
];

const tags = {
  Categories: "The categories of the catalogue.",
  Products: "The products of the catalogue.",
  Orders: "Customers' orders.",
  Administrators: "Login of administrators.",
  GraphQL: "The other door to the same services.",
  Service: "The service itself: pages for people, this document, health.",
};

const description = `The REST contract of the tea shop. Prices are strings with 2 decimals, timestamps are in UTC.

Every answer outside 2xx and 3xx has one shape: \`statusCode\`, \`message\` and \`error\`. \`HEAD\` answers as \`GET\`; letter case and a trailing slash of a path are ignored. Properties that are not documented are refused. Every answer has the headers of a strict policy. Each answer here names the main ones; \`x-headers-of-every-answer\` lists all.`;

/**
 * The OpenAPI document of the service, as an object to be written as JSON.
 *
 * @param version the version of the service
 * @param schema GraphQL's schema, which has the descriptions of the input classes
 */
export function openApiDocument(version: string, schema: GraphQLSchema): object {
  const descriptionOf = describedBy(schema);
  return {
    openapi: "3.1.0",
    info: {
      title: "Tea shop",
      version,
      description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The service that serves this document." }],
    "x-headers-of-every-answer": headersOfEveryAnswer,
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: { ...shopPaths(descriptionOf), ...graphqlPaths, ...pagePaths, ...healthPaths },
    components: {
      securitySchemes: {
        administrator: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The `access_token` of `POST /auth/login`.",
        },
      },
      schemas: { ...inputSchemas(descriptionOf), ...answerSchemas(), ...graphqlSchemas },
      responses: {
        ...mapped(commonStatuses, (status) => [refusalName(status), refusalResponse(status)]),
        ...graphqlResponses,
      },
      headers,
    },
  };
}

function shopPaths(descriptionOf: DescriptionOf): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const operation of operations) {
    const [method = "", route = ""] = routes[operation.id].split(" ");
    const path = route.replace(/:([a-zA-Z]+)/g, "{$1}");
    const described = describeOperation(operation, descriptionOf);
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  return paths;
}

const inputSchemas = (descriptionOf: DescriptionOf): object =>
  mapped(
    operations.flatMap(({ body }) => body ?? []),
    ({ Input }) => [Input.name, inputSchema(Input, descriptionOf)],
  );

const answerSchemas = (): object => ({
  ...mapped(Object.entries(shapes), ([name, [schema, example]]) => [
    name,
    { ...schema, examples: [example] },
  ]),
  ...mapped(refusalStatuses, (status) => [refusalName(status), refusalSchema(status)]),
});

const mapped = <T>(
  all: readonly T[],
  entryOf: (each: T) => [name: string, value: object],
): object => Object.fromEntries(all.map(entryOf));
