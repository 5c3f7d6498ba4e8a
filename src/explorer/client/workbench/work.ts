import type { Answer, Request } from "../service";
import { GraphiqlStorage } from "./storage";

/** What is known of the open tabs, until all is cleared. */
export class Work {
  readonly storage: GraphiqlStorage;
  /** By tab, the request that was sent last. */
  readonly requests = new Map<string, Request>();
  /** By tab, an answer that came while another tab was in front. */
  readonly late = new Map<string, Answer>();
  /** The last query that was refused for want of a valid token, and its tab. */
  refused: { readonly tab: string; readonly request: Request } | undefined;

  /** @param cleared the ids of tabs of earlier work */
  constructor(storage: Storage, cleared: ReadonlySet<string>) {
    this.storage = new GraphiqlStorage(storage, cleared);
  }

  /** Notes the request of a tab. */
  asks(tab: string, request: Request): void {
    this.late.delete(tab);
    this.requests.set(tab, request);
  }

  /** Takes an answer for which GraphiQL did not wait, unless its tab has asked for something else since. */
  takeLate(tab: string, request: Request, answer: Answer): void {
    if (this.requests.get(tab) === request) this.late.set(tab, answer);
  }

  /** Forgets what is known of tabs that have been closed. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const known of [this.requests, this.late]) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    }
  }
}

interface TabTexts {
  readonly query: string | null;
  readonly operationName: string | null;
}

/** Whether a tab has the query of a request, and its operation of it. */
export const asksFor = ({ query, operationName }: TabTexts, request: Request): boolean =>
  query === request.query && (operationName || undefined) === request.operationName;
