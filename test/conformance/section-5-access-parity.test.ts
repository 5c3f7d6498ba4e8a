import { clauseEach } from "../support/clause";
import { PASSWORD } from "../support/factories";
import {
  expectParity,
  startTwins,
  type Caller,
  type ParityCase,
  type Scenario,
  type Twins,
} from "../parity/twins";

jest.setTimeout(60_000);

let twins: Twins;
beforeAll(async () => {
  twins = await startTwins({ login: { failureLimit: 0, addressFailureLimit: 0 } });
});
afterAll(() => twins.close());

const run = (each: ParityCase) => expectParity(twins, each);
const caller = "nobody";
const login = (body: object): Pick<Scenario, "operation" | "caller" | "input"> => ({
  operation: "login",
  caller,
  input: { body },
});
const invalid = { refused: [400, "Invalid credentials"] } as const;

clauseEach<ParityCase>(
  "5.3",
  "who may log in is the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "the right credentials": async ({ make, settings }) => {
      const { id, email } = await make.admin();
      return {
        ...login({ email: email.toUpperCase(), password: PASSWORD }),
        ok: { id, sub: String(id), email, role: "ADMIN", lifetime: settings.tokens.ttl },
      };
    },
    "a wrong password": async ({ make }) => ({
      ...login({ email: (await make.admin()).email, password: `${PASSWORD} ` }),
      ...invalid,
    }),
    "an unknown address": () => ({
      ...login({ email: "nobody@example.com", password: PASSWORD }),
      ...invalid,
    }),
    "an inactive account": async ({ make }) => ({
      ...login({ email: (await make.admin({ is_active: false })).email, password: PASSWORD }),
      ...invalid,
    }),
  },
  run,
);

clauseEach<ParityCase>(
  "7.login",
  "a login that is not fit is refused with the same messages through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "no address and no password": () => ({
      ...login({ email: "", password: "" }),
      refused: [400, ["email must be an email", "password should not be empty"]],
    }),
    "a lone surrogate": () => ({
      ...login({ email: "\ud800@example.com", password: "\ud800" }),
      refused: [
        400,
        ["email must be an email", "password must be well-formed Unicode without NUL"],
      ],
    }),
  },
  run,
);

/** Every protected operation of both doors, with input of which each part is wrong. */
const wrong: Pick<Scenario, "operation" | "input">[] = [
  { operation: "createCategory", input: { body: { name: "" } } },
  { operation: "updateCategory", input: { id: 2_000_000_000, body: { slug: "-" } } },
  { operation: "deleteCategory", input: { id: 2_000_000_000 } },
  { operation: "createProduct", input: { body: { name: "", price: "x", categoryId: 0 } } },
  { operation: "setProductStatus", input: { id: 2_000_000_000, body: { isActive: true } } },
  { operation: "deleteProduct", input: { id: 2_000_000_000 } },
  { operation: "listOrders", input: { query: { page: 0, customerEmail: "" } } },
];

const judged = (callers: Caller[], refused: readonly [number, string]) =>
  Object.fromEntries(
    callers.flatMap((each) =>
      wrong.map((call): [string, ParityCase] => [
        `${call.operation} by ${each}`,
        () => ({ ...call, caller: each, refused }),
      ]),
    ),
  );

clauseEach<ParityCase>(
  "7.401",
  "without a valid token nothing else is judged, the same through both doors",
  { doors: ["REST", "GraphQL"] },
  judged(
    [
      "nobody",
      "somebody without a scheme",
      "garbage for a token",
      "an expired token",
      "a forged token",
      "a token of a deactivated account",
    ],
    [401, "Unauthorized"],
  ),
  run,
);

clauseEach<ParityCase>(
  "7.403",
  "without the role nothing else is judged, the same through both doors",
  { doors: ["REST", "GraphQL"] },
  judged(
    ["a token of another role", "a token of an account of another role"],
    [403, "Forbidden resource"],
  ),
  run,
);

clauseEach<ParityCase>(
  "7.precedence",
  "validation, existence and conflicts are judged in this order through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "validation before existence": () => ({
      operation: "updateCategory",
      input: { id: 2_000_000_000, body: { name: "" } },
      refused: [400, ["name should not be empty"]],
    }),
    "existence before a conflict": async ({ make }) => ({
      operation: "updateCategory",
      input: { id: 2_000_000_000, body: { slug: (await make.category()).slug } },
      refused: [404, "Category not found"],
    }),
    "validation before a conflict": async ({ make }) => ({
      operation: "createCategory",
      input: { body: { name: " ", slug: (await make.category()).slug } },
      refused: [400, ["name should not be empty"]],
    }),
  },
  run,
);

clauseEach<ParityCase>(
  "5.8",
  "what is public ignores bad credentials through both doors",
  { doors: ["REST", "GraphQL"] },
  Object.fromEntries(
    (["garbage for a token", "an expired token", "a token of another role"] as const).flatMap(
      (each): [string, ParityCase][] => [
        [
          `categories with ${each}`,
          () => ({ operation: "listCategories", caller: each, ok: expect.any(Array) }),
        ],
        [
          `login with ${each}`,
          () => ({
            ...login({ email: "nobody@example.com", password: PASSWORD }),
            caller: each,
            ...invalid,
          }),
        ],
      ],
    ),
  ),
  run,
);
