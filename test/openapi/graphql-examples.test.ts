import { buildSchema, parse, validate } from "graphql";
import { readFileSync } from "node:fs";
import path from "node:path";
import { unavailable } from "../../src/vocabulary/errors";
import { transportAnswer } from "../../src/graphql/errors";
import { TransportError, type ErrorStatus } from "../../src/http/answer/error-body";
import { unmeasured } from "../../src/vocabulary/meter";
import { refusedExample, requestExample } from "../../src/openapi/graphql-messages";

const schema = buildSchema(readFileSync(path.join(__dirname, "../../schema.graphql"), "utf8"));

test("the example of a request is a valid one", () => {
  expect(validate(schema, parse(requestExample.query))).toEqual([]);
});

test.each<[status: ErrorStatus, failure: Error]>([
  [400, new TransportError(400)],
  [413, new TransportError(413)],
  [415, new TransportError(415)],
  [431, new TransportError(431)],
  [500, new Error("a fault")],
  [503, unavailable("database")],
])("the example of %s is what GraphQL answers", (status, failure) => {
  const answer = transportAnswer(failure, { report: () => undefined, meter: unmeasured });
  const message = status === 500 ? undefined : failure.message;
  expect([answer.status, answer.body]).toEqual([status, refusedExample(status, message)]);
});
