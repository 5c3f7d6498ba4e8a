/** A way into the service. */
export type Door = "REST" | "GraphQL";

/** What the conformance table says of a clause beside its text. */
export interface ClauseOptions {
  /** The doors that the test goes through; REST where nothing is said. */
  readonly doors?: readonly Door[];
}

type Body = () => Promise<void> | void;

/**
 * A test that shows one clause of the specification. `docs/conformance.md` is generated from these
 * calls (`npm run contracts`), so id, text and doors are literals.
 *
 * @param id the section and the clause within it, such as `8.2` or `4.orders.3`; several tests may
 *   show one clause
 * @param text what the test shows, unlike that of the clause's other tests
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

/** A {@link clause} that takes several cases to show: one test a case, one row in the table. */
export function clauseEach<Case>(
  id: string,
  text: string,
  _options: ClauseOptions,
  cases: Readonly<Record<string, Case>>,
  body: (each: Case) => Promise<void> | void,
): void {
  for (const [label, each] of Object.entries(cases)) {
    test(`${titleOf(id, text)}: ${label}`, async () => {
      await body(each);
    });
  }
}

const titleOf = (id: string, text: string): string => `[${id}] ${text}`;
