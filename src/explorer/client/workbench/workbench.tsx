import { GraphiQL } from "graphiql";
import * as React from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { sendIfAgreed } from "../actions/send-if-agreed";
import { AnswerPane } from "../answers/answer-pane";
import { InputPane } from "../inputs/input-pane";
import { mayMoveFocus } from "../inputs/use-focus-on-opening";
import { operationOf } from "../operation-of";
import type { Prepared } from "../operations/prepared";
import {
  forVisitors,
  isUnauthenticated,
  type Answer,
  type Request,
  type Variables,
} from "../service";
import { isQuery } from "../session/sender";
import type { Session } from "../session/session";
import { useIsSignedIn } from "../session/use-is-signed-in";
import { objectOf, useActiveTab } from "./active-tab";
import { useEditors, type Editors } from "./editors";
import { keepTexts, openTab, setContent } from "./open-tab";
import { QueryPane } from "./query-pane";
import { running } from "./running";
import { runsByItself } from "./runs-by-itself";
import { contentOf } from "./tabs";
import { Tasks } from "./tasks";
import { asksFor, Work } from "./work";

export interface WorkbenchOptions {
  /** Sends a request, with the token of the administrator who is signed in. */
  readonly send: (request: Request) => Promise<Answer>;
  /** Stores tabs and history, without headers, answers and passwords. */
  readonly storage: Storage;
  /** Stores how the page looks, and nothing of requests and answers. */
  readonly preferences: Storage;
  /** The operation that a new visitor sees. */
  readonly first: Prepared;
  readonly session: Session;
  /** The operations that a link can open. */
  readonly linkable: readonly Prepared[];
}

type Fetcher = React.ComponentProps<typeof GraphiQL>["fetcher"];

const INTROSPECTION = "IntrospectionQuery";

/** GraphiQL, with tables beside its answers and forms beside its variables. */
export class Workbench {
  readonly #root: Root;
  readonly #options: WorkbenchOptions;
  #work: Work;
  #editors: Editors | undefined;
  readonly #tasks: Tasks;
  #generation = 0;
  #isReloaded: boolean;
  readonly #cleared = new Set<string>();

  constructor(element: Element, options: WorkbenchOptions) {
    this.#root = createRoot(element);
    this.#options = options;
    this.#tasks = new Tasks(element);
    this.#work = new Work(options.storage, this.#cleared);
    this.#isReloaded = this.#work.storage.hasTabs;
    this.#render();
  }

  /**
   * Forgets all tabs and the history, with all requests and answers. When this returns, nothing of them is stored or
   * shown.
   */
  clear(): void {
    const { storage } = this.#work;
    const open = this.#editors?.tabs.map(({ id }) => id) ?? [];
    for (const id of [...storage.tabIds, ...open]) this.#cleared.add(id);
    storage.close();
    this.#work = new Work(this.#options.storage, this.#cleared);
    this.#editors = undefined;
    this.#isReloaded = false;
    this.#tasks.clear();
    this.#generation += 1;
    flushSync(() => this.#render());
  }

  /**
   * Opens a prepared operation, in its own tab or in a new one. A query that has all its variables runs at once; a
   * mutation never does.
   */
  open(operation: Prepared, variables: Variables = operation.variables()): void {
    this.#whenReady((before) => {
      // Otherwise the next run would only stop the request that is under way.
      flushSync(() => before.stop());
      keepTexts(before);
      const editors = this.#editors ?? before;
      openTab(editors, operation, variables);
      if (runsByItself({ query: operation.query, variables })) this.#editors?.run();
      else if (mayMoveFocus()) editors.variableEditor?.focus();
    });
  }

  /** After a reload, runs the query in front again, but never a mutation. */
  rerun(): void {
    if (!this.#isReloaded) return;
    this.#whenReady(({ activeTab, run }) => {
      const { query, operationName, variables } = activeTab ?? {};
      const request = {
        query: query ?? "",
        operationName: operationName ?? undefined,
        variables: objectOf(variables ?? "") ?? {},
      };
      if (runsByItself(request)) run();
    });
  }

  /** Runs the last query again that was refused because there was no valid token. Returns false if there is none. */
  resume(): boolean {
    const { refused } = this.#work;
    this.#work.refused = undefined;
    if (this.#editors) keepTexts(this.#editors);
    const editors = this.#editors;
    const tab = editors?.tabs.find(({ id }) => id === refused?.tab);
    if (!tab || !refused || !asksFor(tab, refused.request)) return false;
    this.#whenReady(({ tabs, activeTab, stop, changeTab, setOperationName }) => {
      if (activeTab?.id !== tab.id) {
        flushSync(() => {
          stop();
          changeTab(tabs.findIndex(({ id }) => id === tab.id));
          setOperationName(tab.operationName ?? "");
        });
      }
      this.#editors?.run();
    });
    return true;
  }

  /** Runs a task with the editors, once they are loaded and show all earlier changes. */
  #whenReady(task: (editors: Editors) => void): void {
    this.#tasks.add(() => this.#editors && task(this.#editors));
  }

  #render(): void {
    const work = this.#work;
    const { first } = this.#options;
    this.#root.render(
      <GraphiQL
        key={this.#generation}
        fetcher={this.#fetch}
        storage={work.storage}
        // If there are stored tabs, they determine what is shown first.
        {...(work.storage.hasTabs ? {} : contentOf(first, first.variables()))}
        defaultQuery=""
        defaultEditorToolsVisibility="variables"
        forcedTheme="system"
        isHeadersEditorEnabled={false}
        shouldPersistHeaders={false}
      >
        <GraphiQL.Logo>{""}</GraphiQL.Logo>
        <this.Panes work={work} />
      </GraphiQL>,
    );
  }

  readonly #fetch: Fetcher = ({ query, variables, operationName }) => {
    // GraphiQL learns the name of an operation only a moment after it was written.
    const known = { query, operationName: operationName || undefined };
    const request: Request = {
      query,
      variables: variables as Variables,
      operationName: operationOf(known)?.operation.name?.value ?? known.operationName,
    };
    const work = this.#work;
    const tab = this.#editors?.activeTab?.id;
    if (tab === undefined || request.operationName === INTROSPECTION) {
      return this.#options.send(request) as Promise<never>;
    }
    // Also for requests that will fail: they have an answer as well, which says why.
    work.asks(tab, request);
    const { session } = this.#options;
    const answering = sendIfAgreed(this.#options.send, request).then((answer) => {
      const told = session.current ? answer : forVisitors(answer);
      if (isUnauthenticated(told) && isQuery(request)) work.refused = { tab, request };
      return answer;
    });
    return running(answering, (answer) => {
      work.takeLate(tab, request, answer);
      if (work === this.#work) this.#showLate();
    }) as never;
  };

  /** Shows the tab in front the answer that came while another tab was in front. */
  #showLate(): void {
    const id = this.#editors?.activeTab?.id ?? "";
    const answer = this.#work.late.get(id);
    if (!this.#editors || !answer) return;
    this.#work.late.delete(id);
    setContent(this.#editors, { response: JSON.stringify(answer, null, 2) });
  }

  readonly Panes = ({ work }: { readonly work: Work }): React.ReactNode => {
    const editors = useEditors();
    const { tabs, activeTab, isReady, queryEditor } = editors;
    React.useLayoutEffect(() => {
      if (work === this.#work) this.#editors = editors;
    });
    this.#tasks.use(isReady);
    React.useEffect(() => work.keepOnly(new Set(tabs.map(({ id }) => id))), [tabs, work]);
    React.useEffect(() => queueMicrotask(() => this.#showLate()), [activeTab?.id]);

    const tab = useActiveTab(work.requests);
    const { send, preferences, linkable, session } = this.#options;
    const isSignedIn = useIsSignedIn(session);
    const open = this.open.bind(this);
    return (
      <>
        <QueryPane {...{ tab, queryEditor, preferences, linkable, isSignedIn }} />
        <InputPane {...{ tab, send, preferences }} />
        <AnswerPane {...{ tab, send, preferences, open, isSignedIn }} />
      </>
    );
  };
}
