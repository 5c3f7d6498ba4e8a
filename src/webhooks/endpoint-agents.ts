import type { Agent } from "undici";

interface Kept {
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
  private readonly kept = new Map<number, Kept>();
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
    const kept = this.keptOf(endpointId, url);
    clearTimeout(kept.timer);
    kept.users += 1;
    try {
      return await work(kept.agent);
    } finally {
      kept.users -= 1;
      if (kept.users === 0 && this.kept.get(endpointId) === kept) {
        kept.timer = setTimeout(() => this.forget(endpointId, kept), this.idle).unref();
      }
    }
  }

  /** Closes all connections at once. What uses them fails. */
  async close(): Promise<void> {
    for (const { timer } of this.kept.values()) clearTimeout(timer);
    this.kept.clear();
    await Promise.all([...this.open].map((agent) => agent.destroy()));
  }

  private keptOf(endpointId: number, url: string): Kept {
    const known = this.kept.get(endpointId);
    if (known?.url === url) return known;
    if (known) this.forget(endpointId, known);
    const agent = this.create();
    const kept = { url, agent, users: 0 };
    this.open.add(agent);
    this.kept.set(endpointId, kept);
    return kept;
  }

  /** Closes the connections when those who use them are done. */
  private forget(endpointId: number, { agent, timer }: Kept): void {
    clearTimeout(timer);
    this.kept.delete(endpointId);
    void agent.close().finally(() => this.open.delete(agent));
  }
}
