import type { Answer, Request } from "../service";
import { GraphiqlStorage } from "./storage";

/** The data about the open tabs, until everything is cleared. */
export class Work {
  readonly storage: GraphiqlStorage;
  /** The last request that was sent, by tab. */
  readonly requests = new Map<string, Request>();
  /** The answer that came while another tab was in front, by tab. */
  readonly late = new Map<string, Answer>();
  /** The last query that was refused because there was no valid token, and its tab. */
  refused: { readonly tab: string; readonly request: Request } | undefined;

  /** @param cleared the ids of tabs of earlier work */
  constructor(storage: Storage, cleared: ReadonlySet<string>) {
    this.storage = new GraphiqlStorage(storage, cleared);
  }

  /** Records the request of a tab. */
  asks(tab: string, request: Request): void {
    this.late.delete(tab);
    this.requests.set(tab, request);
  }

  /** Stores an answer for which GraphiQL did not wait, unless its tab has sent another request since. */
  takeLate(tab: string, request: Request, answer: Answer): void {
    if (this.requests.get(tab) === request) this.late.set(tab, answer);
  }

  /** Forgets the data about closed tabs. */
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

/** Whether a tab has the query of a request, and the same operation in it. */
export const asksFor = ({ query, operationName }: TabTexts, request: Request): boolean =>
  query === request.query && (operationName || undefined) === request.operationName;
