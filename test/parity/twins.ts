import { startApp, type Overrides, type TestApp } from "../support/app";
import type { Door } from "../support/clause";
import { errorBody } from "../support/refusals";
import { everythingStored } from "../support/stored";
import { tokenFor } from "../support/tokens";
import { through } from "./doors";
import type { Input, OperationName } from "./operations";

/** Two shops that are made equal row by row; each is called through one door alone. */
export interface Twins extends Readonly<Record<Door, TestApp>> {
  close(): Promise<void>;
}

const doors = ["REST", "GraphQL"] as const;

/** Starts both. */
export async function startTwins(settings: Overrides = {}): Promise<Twins> {
  const [rest, graphql] = await Promise.all([startApp(settings), startApp(settings)]);
  return {
    REST: rest,
    GraphQL: graphql,
    close: async () => {
      await Promise.all([rest.close(), graphql.close()]);
    },
  };
}

/** Rows that an operation leaves, by table: a row that changes is gone and comes. */
type Effect = Record<string, { readonly gone: unknown[]; readonly come: unknown[] }>;

/** One line of the table: an operation with its input, what it answers and what it stores. */
export interface Scenario {
  readonly operation: OperationName;
  readonly input?: Input;
  /** Whose token is sent; an administrator's where nothing is said. */
  readonly caller?: Caller;
  /** What is answered where it succeeds. */
  readonly ok?: unknown;
  /** The status and message, or messages, where it is refused. */
  readonly refused?: readonly [status: number, message: unknown];
  /** What changes in the database; nothing where nothing is said. */
  readonly effect?: Effect;
}

/** Makes what the case needs in a shop, the same in both, and says what is to happen. */
export type ParityCase = (app: TestApp) => Scenario | Promise<Scenario>;

export type Caller = keyof typeof callers;

const claiming = async (app: TestApp, account: object, claims: object): Promise<string> => {
  const admin = await app.make.admin(account);
  return `Bearer ${tokenFor(admin, app.settings.tokens.secret, claims)}`;
};

const callers = {
  admin: (app: TestApp) => app.asAdmin,
  nobody: () => undefined,
  "somebody without a scheme": (app: TestApp) => app.asAdmin.slice("Bearer ".length),
  "garbage for a token": () => "Bearer garbage",
  "an expired token": (app: TestApp) => claiming(app, {}, { exp: 1 }),
  "a forged token": async ({ make }: TestApp) =>
    `Bearer ${tokenFor(await make.admin(), "another secret of 32 characters...")}`,
  "a token of another role": (app: TestApp) => claiming(app, {}, { role: "EDITOR" }),
  "a token of a deactivated account": (app: TestApp) => claiming(app, { is_active: false }, {}),
  "a token of an account of another role": (app: TestApp) =>
    claiming(app, { role: "EDITOR" }, { role: "ADMIN" }),
} satisfies Record<string, (app: TestApp) => string | undefined | Promise<string | undefined>>;

/** Runs a case through both doors, and expects what it says of each, and no difference between them. */
export async function expectParity(twins: Twins, prepare: ParityCase): Promise<void> {
  const seen = [];
  for (const door of doors) {
    const app = twins[door];
    const { operation, input = {}, caller = "admin", ...scenario } = await prepare(app);
    const authorization = await callers[caller](app);
    const before = await everythingStored(app);
    const outcome = await through[door](app, { operation, input, authorization });
    const after = await everythingStored(app);
    const effect = differences(before, after);
    const { ok, refused, effect: expected = {} } = scenario;
    expect([door, outcome]).toEqual([door, refused ? { error: errorOf(...refused) } : { ok }]);
    expect([door, effect]).toEqual([door, expected]);
    seen.push(withoutTimes({ outcome, effect }));
  }
  const [rest, graphql] = seen;
  expect(graphql).toEqual(rest);
}

const errorOf = (statusCode: number, message: unknown): object => ({
  ...errorBody(statusCode, message),
  ...((statusCode === 429 || statusCode === 503) && { retryAfter: expect.any(Number) }),
});

function differences(before: object, after: object): Effect {
  const others = new Map<string, object[]>(Object.entries(after));
  const changed = Object.entries(before as Record<string, object[]>).map(([table, rows]) => {
    const now = others.get(table) ?? [];
    const [was, is] = [rows, now].map((each) => new Set(each.map((row) => JSON.stringify(row))));
    const gone = rows.filter((row) => !is?.has(JSON.stringify(row)));
    const come = now.filter((row) => !was?.has(JSON.stringify(row)));
    return [table, { gone, come }] as const;
  });
  return Object.fromEntries(
    changed.filter(([, { gone, come }]) => gone.length > 0 || come.length > 0),
  );
}

/** The same without points in time, which differ from one call to the next. */
const withoutTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)"/g, '"a time"'));

/** A point in time as both doors show it. */
export const aTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
