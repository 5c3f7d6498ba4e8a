const actions: (() => Promise<void>)[] = [];

/** Adds an action to run after the whole run. The action that was added last runs first. */
export const atTeardown = (action: () => Promise<void>): void => {
  actions.unshift(action);
};

/** Runs all added actions. */
export async function tearDown(): Promise<void> {
  for (const action of actions.splice(0)) await action();
}
