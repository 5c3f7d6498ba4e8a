const OURS = "graphiql:";
const TABS = "graphiql:tabState";
const HISTORY: readonly string[] = ["graphiql:queries", "graphiql:favorites"];

/** Recognizes texts that may contain a password, by the schema's names for passwords. */
const SECRET = /password/i;

/** GraphiQL's first sizes: `editorFlex` is the width of the left column, relative to the answer. */
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
 * The storage for GraphiQL. It stores nothing that may contain a password, nothing of tabs that were cleared, and
 * nothing at all once it is closed. GraphiQL's "Clear data" clears its whole storage; here, only GraphiQL's own
 * entries.
 */
export class GraphiqlStorage {
  readonly #storage: Storage;
  readonly #cleared: ReadonlySet<string>;
  #isClosed = false;

  /** @param cleared the ids of cleared tabs, which an earlier GraphiQL may still try to store, even here */
  constructor(storage: Storage, cleared: ReadonlySet<string>) {
    this.#storage = storage;
    this.#cleared = cleared;
  }

  /** The ids of the stored tabs. */
  get tabIds(): string[] {
    return this.#tabs?.tabs.map(({ id }) => id) ?? [];
  }

  /** Whether there are tabs that were stored before this page was loaded. */
  get hasTabs(): boolean {
    return this.#tabs !== undefined;
  }

  get length(): number {
    return this.#storage.length;
  }

  getItem(key: string): string | null {
    // The texts of the tab in front. GraphiQL would store them a second time, which setItem ignores.
    if (key === "graphiql:query") return this.#front?.query ?? null;
    if (key === "graphiql:variables") return this.#front?.variables ?? null;
    return this.#storage.getItem(key) ?? SIZES[key] ?? null;
  }

  /** @throws Error for entries that must not get into the history; GraphiQL then leaves them out */
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

  /** Clears the storage, and ignores whatever GraphiQL still writes. */
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

/** The tabs to store, without those that may contain a password; undefined if none is left. */
function withoutSecrets(text: string): string | undefined {
  const state = JSON.parse(text) as Tabs;
  const tabs = state.tabs.filter((tab) => !SECRET.test(JSON.stringify(tab)));
  if (tabs.length === 0) return undefined;
  const front = tabs.findIndex((tab) => tab === state.tabs[state.activeTabIndex]);
  return JSON.stringify({ ...state, tabs, activeTabIndex: Math.max(front, 0) });
}
