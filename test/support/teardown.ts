const actions: (() => Promise<void>)[] = [];

/** Adds what is undone after the whole run; last added, first undone. */
export const atTeardown = (action: () => Promise<void>): void => {
  actions.unshift(action);
};

/** Undoes everything. */
export async function tearDown(): Promise<void> {
  for (const action of actions.splice(0)) await action();
}
