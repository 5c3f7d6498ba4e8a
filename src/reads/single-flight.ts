import { Batcher } from "./batcher";

/**
 * Lets calls with the same key share one read. A change throws all answers out of the cache at once; then a thousand
 * waiting requests cause one read. A call never joins a read that began before it, which might miss the change.
 */
export class SingleFlight<Result> {
  /** Only those with a read that runs or waits. */
  private readonly flights = new Map<string, Batcher<undefined, Result>>();

  /** The result of a run of `read` that begins after this call. */
  async run(key: string, read: () => Promise<Result>): Promise<Result> {
    const flight = this.flights.get(key) ?? new Batcher<undefined, Result>(read);
    this.flights.set(key, flight);
    try {
      return await flight.run(undefined);
    } finally {
      if (flight.isIdle) this.flights.delete(key);
    }
  }
}
