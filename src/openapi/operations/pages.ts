import { headersOf } from "../headers";
import { jsonAnswer, openOperation, type PathItem } from "../path";
import { object, text, type Schema } from "../schema";
import { refusal } from "../refusals";

const service = { tag: "Service", ignoresBody: true } as const;

const path = (description: string): Schema<string> => text(description, { pattern: "^/" });

const home = {
  type: "object",
  properties: {
    name: text("What this is."),
    links: {
      type: "object",
      properties: {
        openapi: path("This document."),
        docs: path("This document as a page; absent if pages are off."),
        graphql: path("The GraphQL endpoint."),
        explorer: path("A page to try GraphQL; absent if pages are off."),
        live: path("Whether the process answers."),
        ready: path("Whether requests can be served."),
      },
      required: ["openapi", "graphql", "live", "ready"],
      additionalProperties: false,
    },
  },
  required: ["name", "links"],
  additionalProperties: false,
};

const homeExample = {
  name: "Tea shop",
  links: {
    openapi: "/openapi.json",
    docs: "/docs",
    graphql: "/graphql",
    explorer: "/explorer",
    live: "/health/live",
    ready: "/health/ready",
  },
};

const page = (description: string): object => ({
  description,
  headers: headersOf(["Page-Policy", "No-Store"]),
  content: { "text/html": { schema: { type: "string" } } },
});

const whereOff = { 404: refusal(404, [], []) };

const OpenApi = object<{ openapi: string }>({ openapi: text("The version of OpenAPI.") });

/** The pages for people, and this document. */
export const pagePaths: Readonly<Record<string, PathItem>> = {
  "/": {
    get: openOperation(
      {
        operationId: "home",
        ...service,
        summary: "What is this, and where is what?",
        description: "A page for browsers, and the same links as JSON for all other clients.",
      },
      {
        200: {
          ...jsonAnswer("The links.", home, homeExample),
          headers: headersOf(["Page-Policy", "No-Store"]),
          content: {
            "application/json": { schema: home, example: homeExample },
            "text/html": { schema: { type: "string" } },
          },
        },
      },
    ),
  },
  "/docs": {
    get: openOperation(
      { operationId: "docs", ...service, summary: "This document as a page, to read and to try" },
      { 200: page("The page."), ...whereOff },
    ),
  },
  "/explorer": {
    get: openOperation(
      { operationId: "explorer", ...service, summary: "A page to try GraphQL" },
      { 200: page("The page."), ...whereOff },
    ),
  },
  "/openapi.json": {
    get: openOperation(
      { operationId: "openapi", ...service, summary: "This document" },
      {
        200: {
          description: "OpenAPI 3.1.",
          headers: headersOf(["ETag", "Cache-Control"]),
          content: {
            "application/json": {
              schema: { ...OpenApi, additionalProperties: true },
              example: { openapi: "3.1.0" },
            },
          },
        },
        304: {
          description: "The client has the document already.",
          headers: headersOf(["ETag", "Cache-Control"]),
        },
      },
    ),
  },
};
