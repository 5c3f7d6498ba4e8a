import { buildSchema, parse, validate } from "graphql";
import { readFileSync } from "node:fs";
import path from "node:path";
import { unavailable } from "../../src/vocabulary/errors";
import { transportAnswer } from "../../src/graphql/errors";
import { TransportError, type ErrorStatus } from "../../src/http/answer/error-body";
import { unmeasured } from "../../src/vocabulary/meter";
import { at } from "../support/openapi";

const schema = buildSchema(readFileSync(path.join(__dirname, "../../schema.graphql"), "utf8"));

test("the example of a request is a valid one", () => {
  const query = at("/components/schemas/GraphQLRequest/examples/0/query") as string;
  expect(validate(schema, parse(query))).toEqual([]);
});

test.each<[name: string, status: ErrorStatus, failure: Error]>([
  ["BadRequest", 400, new TransportError(400, "Body must be valid JSON in UTF-8")],
  ["PayloadTooLarge", 413, new TransportError(413)],
  [
    "UnsupportedMediaType",
    415,
    new TransportError(415, "Content-Type must be application/json in UTF-8"),
  ],
  ["RequestHeaderFieldsTooLarge", 431, new TransportError(431)],
  ["InternalServerError", 500, new Error("a fault")],
  ["ServiceUnavailable", 503, unavailable("database")],
])("the example of %s is what GraphQL answers", (name, status, failure) => {
  const answer = transportAnswer(failure, { report: () => undefined, meter: unmeasured });
  const media = `/components/responses/GraphQL${name}/content/application~1graphql-response+json`;
  expect([answer.status, answer.body]).toEqual([status, at(`${media}/example`)]);
});
