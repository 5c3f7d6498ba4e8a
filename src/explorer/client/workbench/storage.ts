const OURS = "graphiql:";
const TABS = "graphiql:tabState";
const HISTORY: readonly string[] = ["graphiql:queries", "graphiql:favorites"];

/** What may hold a password is recognized by the names that the schema gives those. */
const SECRET = /password/i;

/** The sizes that GraphiQL begins with: how much wider than the answer the left column is. */
const SIZES: Readonly<Record<string, string>> = {
  "graphiql:editorFlex": "0.42",
  "graphiql:secondaryEditorFlex": "1",
};

interface Texts {
  readonly id: string;
  readonly query?: string | null;
  readonly variables?: string | null;
}

interface Tabs {
  readonly tabs: readonly Texts[];
  readonly activeTabIndex: number;
}

/**
 * What GraphiQL stores: nothing that may hold a password, nothing of tabs that were cleared, and nothing any more
 * once it is closed. GraphiQL's "Clear data" clears its whole storage; this one hands it just what is its own.
 */
export class GraphiqlStorage {
  readonly #storage: Storage;
  readonly #cleared: ReadonlySet<string>;
  #isClosed = false;

  /** @param cleared the ids of tabs that a GraphiQL which is gone may still mean to store, even here */
  constructor(storage: Storage, cleared: ReadonlySet<string>) {
    this.#storage = storage;
    this.#cleared = cleared;
  }

  /** The ids of the tabs that are stored. */
  get tabIds(): string[] {
    return this.#tabs?.tabs.map(({ id }) => id) ?? [];
  }

  /** Whether tabs of an earlier page are there. */
  get hasTabs(): boolean {
    return this.#tabs !== undefined;
  }

  get length(): number {
    return this.#storage.length;
  }

  getItem(key: string): string | null {
    // The texts of the tab that was in front, which GraphiQL would else store a second time.
    if (key === "graphiql:query") return this.#front?.query ?? null;
    if (key === "graphiql:variables") return this.#front?.variables ?? null;
    return this.#storage.getItem(key) ?? SIZES[key] ?? null;
  }

  /** @throws Error for what is not to be kept in the history, so that GraphiQL leaves it out */
  setItem(key: string, value: string): void {
    if (this.#isClosed || key === "graphiql:query" || key === "graphiql:variables") return;
    if (key === TABS && this.#wasCleared(value)) return;
    if (HISTORY.includes(key) && SECRET.test(value)) throw new Error("Passwords are not kept");
    const kept = key === TABS && SECRET.test(value) ? withoutSecrets(value) : value;
    if (kept === undefined) this.#storage.removeItem(key);
    else this.#storage.setItem(key, kept);
  }

  removeItem(key: string): void {
    if (!this.#isClosed) this.#storage.removeItem(key);
  }

  clear(): void {
    for (const key of Object.keys(this.#storage)) {
      if (key.startsWith(OURS)) this.#storage.removeItem(key);
    }
  }

  /** Clears it, and keeps whatever GraphiQL still means to write out of it. */
  close(): void {
    this.clear();
    this.#isClosed = true;
  }

  #wasCleared(value: string): boolean {
    if (this.#cleared.size === 0) return false;
    return (JSON.parse(value) as Tabs).tabs.some(({ id }) => this.#cleared.has(id));
  }

  get #tabs(): Tabs | undefined {
    const stored = this.#storage.getItem(TABS);
    return stored === null ? undefined : (JSON.parse(stored) as Tabs);
  }

  get #front(): Texts | undefined {
    const { tabs, activeTabIndex } = this.#tabs ?? { tabs: [], activeTabIndex: 0 };
    return tabs[activeTabIndex];
  }
}

/** Tabs as they are stored, but for those that may hold a password; undefined where none is left. */
function withoutSecrets(text: string): string | undefined {
  const state = JSON.parse(text) as Tabs;
  const tabs = state.tabs.filter((tab) => !SECRET.test(JSON.stringify(tab)));
  if (tabs.length === 0) return undefined;
  const front = tabs.findIndex((tab) => tab === state.tabs[state.activeTabIndex]);
  return JSON.stringify({ ...state, tabs, activeTabIndex: Math.max(front, 0) });
}
