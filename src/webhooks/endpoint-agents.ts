import type { Agent } from "undici";

interface Entry {
  readonly url: string;
  readonly agent: Agent;
  users: number;
  timer?: NodeJS.Timeout;
}

/**
 * An agent for each endpoint, so that a slow receiver keeps no other from its messages. An agent is kept, with its
 * connections, until nobody has used it for a while, or until its endpoint has another URL.
 */
export class EndpointAgents {
  private readonly entries = new Map<number, Entry>();
  /** All that are not closed yet. */
  private readonly open = new Set<Agent>();

  /** `idle`: milliseconds for which an unused agent is kept. */
  constructor(
    private readonly create: () => Agent,
    private readonly idle: number,
  ) {}

  /** Runs the work with the agent of the endpoint. */
  async use<Result>(
    endpointId: number,
    url: string,
    work: (agent: Agent) => Promise<Result>,
  ): Promise<Result> {
    const entry = this.entryOf(endpointId, url);
    clearTimeout(entry.timer);
    entry.users += 1;
    try {
      return await work(entry.agent);
    } finally {
      entry.users -= 1;
      if (entry.users === 0 && this.entries.get(endpointId) === entry) {
        entry.timer = setTimeout(() => this.forget(endpointId, entry), this.idle).unref();
      }
    }
  }

  /** Closes all connections at once. What uses them fails. */
  async close(): Promise<void> {
    for (const { timer } of this.entries.values()) clearTimeout(timer);
    this.entries.clear();
    await Promise.all([...this.open].map((agent) => agent.destroy()));
  }

  private entryOf(endpointId: number, url: string): Entry {
    const known = this.entries.get(endpointId);
    if (known?.url === url) return known;
    if (known) this.forget(endpointId, known);
    const agent = this.create();
    const entry = { url, agent, users: 0 };
    this.open.add(agent);
    this.entries.set(endpointId, entry);
    return entry;
  }

  /** Closes the connections when those who use them are done. */
  private forget(endpointId: number, { agent, timer }: Entry): void {
    clearTimeout(timer);
    this.entries.delete(endpointId);
    const closed = (): unknown => this.open.delete(agent);
    agent.close().then(closed, closed);
  }
}
