/** One of the two APIs of the service. */
export type Door = "REST" | "GraphQL";

/** What a test says about its clause, besides its text. */
export interface ClauseOptions {
  /** The doors that the test uses; by default REST. */
  readonly doors?: readonly Door[];
}

type Body = () => Promise<void> | void;
type EachBody<Case> = (each: Case) => Promise<void> | void;

/** Cases by their labels. */
type Cases<Case> = Readonly<Record<string, Case>>;

/**
 * A test that shows one clause of `docs/contract.md`. The id is a literal, because `npm run contracts:check` looks
 * in these calls for each clause of the contract.
 *
 * @param id the clause's id in the contract, such as `8.2` or `4.orders.3`; several tests may show one clause
 * @param text what the test shows
 */
export function clause(id: string, text: string, body: Body): void;
export function clause(id: string, text: string, options: ClauseOptions, body: Body): void;
export function clause(
  id: string,
  text: string,
  ...rest: [body: Body] | [options: ClauseOptions, body: Body]
): void {
  const body = rest.length === 1 ? rest[0] : rest[1];
  test(titleOf(id, text), async () => {
    await body();
  });
}

/** A {@link clause} that needs several cases: one test for each case. */
export function clauseEach<Case>(
  id: string,
  text: string,
  cases: Cases<Case>,
  body: EachBody<Case>,
): void;
export function clauseEach<Case>(
  id: string,
  text: string,
  options: ClauseOptions,
  cases: Cases<Case>,
  body: EachBody<Case>,
): void;
export function clauseEach<Case>(
  id: string,
  text: string,
  ...rest:
    | [cases: Cases<Case>, body: EachBody<Case>]
    | [options: ClauseOptions, cases: Cases<Case>, body: EachBody<Case>]
): void {
  const [cases, body] = rest.length === 2 ? rest : [rest[1], rest[2]];
  for (const [label, each] of Object.entries(cases)) {
    test(`${titleOf(id, text)}: ${label}`, async () => {
      await body(each);
    });
  }
}

/** A {@link clause} that is shown at GraphQL alone. */
export const graphqlClause = (id: string, text: string, body: Body): void => clause(id, text, body);

/** A {@link clauseEach} that is shown at GraphQL alone. */
export const graphqlClauseEach = <Case>(
  id: string,
  text: string,
  cases: Cases<Case>,
  body: EachBody<Case>,
): void => clauseEach(id, text, cases, body);

const titleOf = (id: string, text: string): string => `[${id}] ${text}`;
