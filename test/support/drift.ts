const ALL_BUT_DATE = [
  ...(["hrtime", "performance", "nextTick", "queueMicrotask"] as const),
  ...(["setImmediate", "clearImmediate", "setInterval", "clearInterval"] as const),
  ...(["setTimeout", "clearTimeout"] as const),
];

/** Runs `act` while the clock of this process is so many seconds ahead of the database's clock. */
export async function atDrift<Result>(
  seconds: number,
  act: () => Promise<Result>,
): Promise<Result> {
  jest.useFakeTimers({ now: Date.now() + seconds * 1000, doNotFake: ALL_BUT_DATE });
  return act().finally(() => jest.useRealTimers());
}
