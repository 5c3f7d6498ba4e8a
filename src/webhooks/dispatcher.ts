import { setTimeout as sleep } from "node:timers/promises";
import type { DisabledEndpoint, SettledDelivery } from "../vocabulary/webhooks";
import type { WebhookEnd } from "../vocabulary/meter";
import { failed, settledBy, type Claimed, type Outcome } from "./outcome";
import type { Answer, WebhookRequest } from "./sender";

/** Milliseconds between two looks while nothing is due: with endpoints, and without, when a database may sleep. */
const POLL = 1_000;
const POLL_WITHOUT_ENDPOINTS = 10_000;

/** The fewest milliseconds between two looks because of changes, as most changes are of no interest to any endpoint. */
const GAP = 100;

const PAUSE_AFTER_FAILURE = 1_000;

/** Milliseconds that a drain waits for receivers, and then for the database. */
const DRAIN = 5_000;
const STORING = 2_000;

const ends = { DELIVERED: "delivered", GIVEN_UP: "given_up", WAITING: "failed" } as const;

const NOTHING = { deliveries: [], foundAny: false, hasEndpoints: true, until: 0 };

/** How often a delivery is given back because its connection opened too late. After that, it has failed. */
const MOST_LATE = 3;

/** Deliveries for which that is counted. */
const MOST_COUNTED = 1_000;

/** Where the dispatcher takes its work from. */
export interface Queue<Item extends Claimed> {
  /**
   * Deliveries that are to be sent before `until`, a time of `performance.now()`, or given back. `foundAny` says that there
   * may be more, whether or not what was found can be sent now; `hasEndpoints`, that there may be later.
   */
  claim(sending: ReadonlyMap<number, number>): Promise<{
    readonly deliveries: readonly Item[];
    readonly foundAny: boolean;
    readonly hasEndpoints: boolean;
    readonly until: number;
  }>;
  settle(settled: readonly SettledDelivery[]): Promise<DisabledEndpoint[]>;
  release(ids: readonly number[]): Promise<void>;
}

interface Sender {
  /** Undefined if the request was not sent in time. */
  send(request: WebhookRequest): Promise<Answer | undefined>;
}

/** Why there is no request for a delivery. */
export interface NoRequest {
  readonly fault: string;
  /** Whether there never will be: then it is given up. */
  readonly isFinal: boolean;
}

export interface DispatcherReports {
  readonly ended: (end: WebhookEnd) => void;
  readonly disabled: (endpoint: DisabledEndpoint) => void;
  /** There is no message for a delivery, which counts as a try. */
  readonly unsendable: (deliveryId: number, error: unknown) => void;
  /** The database could not be used; it is tried again a second later. */
  readonly failed: (error: unknown) => void;
}

/**
 * Sends deliveries until it is drained. It claims as many as there is room for, and stores their outcomes together. A
 * failure of the database loses nothing: outcomes are stored when it is back, and what others have sent in between stays.
 */
export class Dispatcher<Item extends Claimed> {
  private readonly sending = new Map<number, Item>();
  /** How often deliveries were given back because their connections opened too late. */
  private readonly late = new Map<number, number>();
  private readonly giveUp = new AbortController();
  private settled: SettledDelivery[] = [];
  /** Claimed deliveries that were not sent, or whose outcome is unknown: others may send them at once. */
  private returned: number[] = [];
  private closing = false;
  /** Whether the time for a drain is up. */
  private over = false;
  private hasEndpoints = true;
  private lookedAt = -Infinity;
  private soon: NodeJS.Timeout | undefined;
  private wake: () => void = () => undefined;
  private readonly work: Promise<void>;
  private drained: Promise<void> | undefined;

  constructor(
    private readonly queue: Queue<Item>,
    private readonly sender: Sender,
    /** The request for an item. It throws if the item is odd. */
    private readonly requestOf: (item: Item) => WebhookRequest | NoRequest,
    private readonly reports: DispatcherReports,
  ) {
    this.work = this.run();
  }

  /**
   * Looks for what a change of this process is to send: at once, unless it has just looked. Without endpoints, only a
   * change of these, `atEndpoints`, makes it look.
   */
  look({ atEndpoints }: { readonly atEndpoints: boolean }): void {
    if (this.soon || !(atEndpoints || this.hasEndpoints)) return;
    const wait = Math.max(0, this.lookedAt + GAP - performance.now());
    this.soon = setTimeout(() => {
      this.soon = undefined;
      this.wake();
    }, wait);
    this.soon.unref();
  }

  /** Claims no more, waits for receivers for a bounded time, and stores the outcomes of their deliveries. */
  drain(): Promise<void> {
    return (this.drained ??= this.end());
  }

  private async end(): Promise<void> {
    this.closing = true;
    this.wake();
    const timer = setTimeout(() => this.giveUp.abort(), DRAIN);
    await Promise.race([this.work, sleep(DRAIN + STORING, undefined, { ref: false })]);
    clearTimeout(timer);
    this.over = true;
  }

  private async run(): Promise<void> {
    while (!this.isDone()) {
      try {
        const woken = new Promise<void>((resolve) => (this.wake = resolve));
        await this.settle();
        await this.giveBack();
        this.lookedAt = performance.now();
        const { deliveries, foundAny, hasEndpoints, until } = this.closing
          ? NOTHING
          : await this.queue.claim(this.counts());
        this.hasEndpoints = hasEndpoints;
        if (this.closing || performance.now() > until) {
          this.returned.push(...deliveries.map(({ id }) => id));
        } else for (const item of deliveries) void this.send(item, until);
        const isIdle = !foundAny && this.settled.length + this.returned.length === 0;
        if (isIdle && !this.isDone()) {
          const timer = setTimeout(this.wake, hasEndpoints ? POLL : POLL_WITHOUT_ENDPOINTS);
          timer.unref();
          await woken;
          clearTimeout(timer);
        }
      } catch (error) {
        this.reports.failed(error);
        if (!this.isDone()) await sleep(PAUSE_AFTER_FAILURE, undefined, { ref: false });
      }
    }
  }

  /** Whether nothing is left to do, or no time for it. */
  private isDone(): boolean {
    const left = this.sending.size + this.settled.length + this.returned.length;
    return this.closing && (left === 0 || this.over);
  }

  private async giveBack(): Promise<void> {
    const batch = this.returned;
    if (batch.length === 0) return;
    await this.queue.release(batch);
    this.returned = this.returned.slice(batch.length);
  }

  private async settle(): Promise<void> {
    const batch = this.settled;
    if (batch.length === 0) return;
    const disabled = await this.queue.settle(batch);
    this.settled = this.settled.slice(batch.length);
    for (const { state } of batch) this.reports.ended(ends[state]);
    for (const endpoint of disabled) this.reports.disabled(endpoint);
  }

  /** How many deliveries of each endpoint are being sent, or wait to be stored. */
  private counts(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { endpointId } of this.sending.values()) {
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    }
    return counts;
  }

  private async send(item: Item, until: number): Promise<void> {
    const { id } = item;
    this.sending.set(id, item);
    const at = new Date().toISOString();
    const outcome = await this.attempt(item, until).catch((error: unknown): Outcome => {
      this.reports.unsendable(id, error);
      return { answer: failed("no message can be made of the event"), isUnsendable: true };
    });
    this.sending.delete(id);
    if (!outcome || (this.giveUp.signal.aborted && outcome.answer.status === null)) {
      this.returned.push(id);
    } else {
      this.late.delete(id);
      this.settled = [...this.settled, settledBy(item, at, outcome)];
    }
    this.wake();
  }

  /** Tries once to send an item. Undefined if it was not sent, and is to be given back. */
  private async attempt(item: Item, until: number): Promise<Outcome | undefined> {
    const request = this.requestOf(item);
    if ("fault" in request) {
      const { fault, isFinal } = request;
      if (isFinal) this.reports.unsendable(item.id, new Error(fault));
      return { answer: failed(fault), isFinal, isUnsendable: isFinal };
    }
    const answer = await this.sender.send({ ...request, until, signal: this.giveUp.signal });
    if (answer) return { answer };
    const times = (this.late.get(item.id) ?? 0) + 1;
    if (times > MOST_LATE) return { answer: failed("no connection opens in time, and stays open") };
    if (this.late.size >= MOST_COUNTED) this.late.clear();
    this.late.set(item.id, times);
    return undefined;
  }
}
