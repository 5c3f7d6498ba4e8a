/** @check */

import { Agent, STATUS_CODES } from "node:http";
import fc from "fast-check";
import type { GraphqlBody, GraphqlError } from "../graphql/client";
import { useApp } from "../support/app";
import { PASSWORD } from "../support/factories";
import { fuzzSettings } from "../support/fuzz-settings";
import { sendJson, type Answer } from "../support/raw-http";
import { schema } from "../support/schema";
import { anyRequest, type GeneratedRequest } from "./graphql-documents";
import { objectText } from "./hostile-json";

jest.setTimeout(3_600_000);

const IN_PARALLEL = 8;
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_ERRORS = 10;

/** The statuses that each code stands for (contract 10.errors). */
const statuses: Record<string, readonly number[]> = {
  BAD_USER_INPUT: [400],
  UNAUTHENTICATED: [401],
  FORBIDDEN: [403],
  NOT_FOUND: [404],
  CONFLICT: [409, 422],
  TOO_MANY_REQUESTS: [429],
  SERVICE_UNAVAILABLE: [503],
};
/** Codes of refusals by the language. */
const languageCodes = [
  ...["BAD_REQUEST", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"],
  "OPERATION_RESOLUTION_FAILURE",
];

const app = useApp();
let agent: Agent;
beforeAll(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: IN_PARALLEL });
  await app.make.admin({ email: "admin@example.com", password: PASSWORD });
  for (const customer_email of ["customer@example.com", "other@example.com", "a@example.com"]) {
    const { id: product_id } = await app.make.product();
    const { id: order_id } = await app.make.order({ customer_email });
    await app.make.orderItem({ order_id, product_id });
    await app.make.product({ price: "12.50", is_active: false });
    await app.make.subscriber();
  }
});
afterAll(() => agent.destroy());

test("any operation gets its data or refusals in the documented shape", async () => {
  const { runs, seed } = fuzzSettings();
  const outcomes = new Map<string, number>();
  const answersWell = async (requests: GeneratedRequest[]): Promise<void> => {
    app.log.length = 0; // or else a long run would keep, and search, millions of lines
    await Promise.all(
      requests.map(async (request, index) => {
        const body = bodyOf(request);
        const headers = index % 2 === 0 ? { authorization: app.asAdmin } : {};
        const answer = await sendJson(app.url, "POST", "/graphql", body, headers, agent);
        const outcome = outcomeOf(answer);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        const fault = faultOf(answer);
        if (fault === undefined) return;
        throw new Error(`${fault}: ${body} => ${answer.status} ${answer.text.slice(0, 2000)}`);
      }),
    );
    const unexpected = app.log.filter((line) => line.includes("unexpected failure"));
    if (unexpected.length > 0) throw new Error(String(unexpected[0]));
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRequest(schema), { minLength: IN_PARALLEL, maxLength: IN_PARALLEL }),
      answersWell,
    ),
    { numRuns: Math.ceil(runs / IN_PARALLEL), seed },
  );
  // The generator reaches the shop and all that stands before it, or it shows nothing.
  for (const outcome of ["data", "BAD_USER_INPUT", "UNAUTHENTICATED", "NOT_FOUND", "CONFLICT"]) {
    expect([outcome, outcomes.get(outcome) ?? 0]).toEqual([outcome, expect.any(Number)]);
    expect(outcomes.get(outcome)).toBeGreaterThan(0);
  }
  expect((outcomes.get("data") ?? 0) / runs).toBeGreaterThan(0.15);
});

const bodyOf = ({ query, variables, operationName, extensions }: GeneratedRequest): string =>
  objectText([
    ["query", JSON.stringify(query)],
    ["variables", variables],
    ...(operationName === undefined
      ? []
      : [["operationName", JSON.stringify(operationName)] as const]),
    ...(extensions === undefined ? [] : [["extensions", extensions] as const]),
  ]);

const outcomeOf = ({ body }: Answer): string => {
  const { errors } = (body ?? {}) as GraphqlBody;
  return errors ? String(errors[0]?.extensions.code) : "data";
};

/** What is wrong with an answer; undefined where it is one that the contract knows. */
function faultOf({ status, headers, text, body }: Answer): string | undefined {
  if (Buffer.byteLength(text) > MOST_BYTES) return "too large";
  if (!/^application\/json; charset=utf-8$/.test(headers["content-type"] ?? "")) return "no JSON";
  if (typeof body !== "object" || body === null) return "no object";
  const { data, errors, ...rest } = body as GraphqlBody;
  if (Object.keys(rest).some((key) => key !== "extensions")) return "members of no answer";
  if (typeof data !== "object" && data !== undefined) return "data of no shape";
  if (errors === undefined) return data && status === 200 ? undefined : "neither data nor errors";
  if (!Array.isArray(errors) || errors.length === 0) return "no errors";
  if (errors.length > MOST_ERRORS) return "too many errors";
  // What was not understood as GraphQL, such as variables that are no object, has a status of its own.
  if (status !== 200 && (status !== 400 || data !== undefined)) return "a status of no answer";
  return errors.map(errorFaultOf).find((fault) => fault !== undefined);
}

function errorFaultOf({ message, extensions, ...rest }: GraphqlError): string | undefined {
  if (Object.keys(rest).some((key) => !["path", "locations"].includes(key))) return "odd error";
  if (typeof message !== "string" || message === "") return "no message";
  const { code, http, reasons: _, ...others } = extensions; // documented.ts judges the reasons
  if (Object.keys(others).length > 0) return "odd extensions";
  const known = languageCodes.includes(code) ? [400] : statuses[code];
  if (!known?.includes(http.statusCode)) return `${code} with ${http.statusCode}`;
  if (http.error !== STATUS_CODES[http.statusCode]) return "an error of another status";
  const messages: unknown[] = Array.isArray(http.message) ? http.message : [http.message];
  const isTold = messages.every((each) => typeof each === "string" && each !== "");
  return isTold && messages.length > 0 ? undefined : "no message of REST";
}
