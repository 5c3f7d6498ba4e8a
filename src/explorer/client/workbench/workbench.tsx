import { useEditorContext, useExecutionContext } from "@graphiql/react";
import { GraphiQL } from "graphiql";
import * as React from "react";
import { createRoot, type Root } from "react-dom/client";
import { sendIfAgreed } from "../actions/send-if-agreed";
import { AnswerPane } from "../answers/answer-pane";
import { InputPane } from "../inputs/input-pane";
import type { Prepared } from "../operations/prepared";
import type { Answer, Request, Variables } from "../service";
import { useActiveTab } from "./active-tab";
import { graphiqlStorage } from "./storage";
import { contentOf, tabOf } from "./tabs";

export interface WorkbenchOptions {
  /** Sends a request, with the token of whoever is signed in. */
  readonly send: (request: Request) => Promise<Answer>;
  /** Keeps tabs and history, without headers and answers. */
  readonly storage: Storage;
  /** Keeps how the page looks, and nothing of what was asked or answered. */
  readonly preferences: Storage;
  /** What a new visitor sees. */
  readonly first: Prepared;
}

type FetcherParams = Parameters<React.ComponentProps<typeof GraphiQL>["fetcher"]>[0];

const INTROSPECTION = "IntrospectionQuery";

/** GraphiQL, with tables beside its answers and forms beside its variables. */
export class Workbench {
  readonly #root: Root;
  readonly #options: WorkbenchOptions;
  /** By tab, the request of its last answer. */
  readonly #requests = new Map<string, Request>();
  #generation = 0;
  #editors: ReturnType<typeof useEditors> | undefined;

  constructor(element: Element, options: WorkbenchOptions) {
    this.#root = createRoot(element);
    this.#options = options;
    this.#render();
  }

  /** Forgets all tabs and the history, which hold what was asked and what was answered. */
  clear(): void {
    graphiqlStorage(this.#options.storage).clear();
    this.#requests.clear();
    this.#generation += 1;
    this.#render();
  }

  /**
   * Shows a prepared operation in its tab, or in a new one.
   *
   * @param variables in place of those that it begins with
   * @param runs at once; for queries
   */
  open(operation: Prepared, { variables, runs = false }: OpenOptions = {}): void {
    if (!this.#editors) return;
    const { tabs, moveTab, changeTab, setOperationName, stop } = this.#editors;
    const tab = tabOf(operation, variables ?? operation.variables());
    const existing = tabs.findIndex(({ hash }) => hash === tab.hash);
    stop();
    if (existing < 0) moveTab([...tabs, tab]);
    changeTab(existing < 0 ? tabs.length : existing);
    // GraphiQL would find it out a moment later, and until then run that of the tab before.
    setOperationName(tab.operationName);
    if (runs) this.#editors.run();
    // On a touch screen, the keyboard would cover what has just been opened.
    else if (globalThis.matchMedia("(pointer: fine)").matches)
      this.#editors.variableEditor?.focus();
  }

  #render(): void {
    const { storage, first } = this.#options;
    const isStored = storage.getItem("graphiql:tabState") !== null;
    this.#root.render(
      <GraphiQL
        key={this.#generation}
        fetcher={this.#fetch}
        storage={graphiqlStorage(storage)}
        // What is stored knows better which tab was the last.
        {...(isStored ? {} : contentOf(first, first.variables()))}
        defaultQuery=""
        defaultEditorToolsVisibility="variables"
        forcedTheme="system"
        isHeadersEditorEnabled={false}
        shouldPersistHeaders={false}
      >
        <GraphiQL.Logo>{""}</GraphiQL.Logo>
        <this.Panes />
      </GraphiQL>,
    );
  }

  readonly #fetch = ({ query, variables, operationName }: FetcherParams): Promise<Answer> => {
    const tab = this.#editors?.activeTab;
    const request = {
      query,
      variables: variables as Variables,
      operationName: operationName ?? undefined,
    };
    // Also a request that fails has an answer, which says why.
    if (tab && request.operationName !== INTROSPECTION) this.#requests.set(tab.id, request);
    return sendIfAgreed(this.#options.send, request);
  };

  readonly Panes = (): React.ReactNode => {
    this.#editors = useEditors();
    const { tabs } = this.#editors;
    React.useEffect(() => {
      const open = new Set(tabs.map(({ id }) => id));
      for (const id of this.#requests.keys()) if (!open.has(id)) this.#requests.delete(id);
    }, [tabs]);
    const tab = useActiveTab(this.#requests);
    const { send, preferences } = this.#options;
    const open = this.open.bind(this);
    return (
      <>
        <InputPane {...{ tab, send, preferences }} />
        <AnswerPane {...{ tab, send, preferences, open }} />
      </>
    );
  };
}

export interface OpenOptions {
  readonly variables?: Variables;
  readonly runs?: boolean;
}

/** What GraphiQL lets others do with its editors. */
function useEditors() {
  const editors = useEditorContext({ nonNull: true });
  const { run, stop } = useExecutionContext({ nonNull: true });
  useTabKeyThatLeaves(editors);
  return { ...editors, activeTab: editors.tabs[editors.activeTabIndex], run, stop };
}

/** Lets the tabulator key leave an editor, which would otherwise indent and hold whoever has no mouse. */
function useTabKeyThatLeaves({
  queryEditor,
  variableEditor,
  responseEditor,
}: ReturnType<typeof useEditorContext> & object): void {
  React.useEffect(() => {
    for (const editor of [queryEditor, variableEditor, responseEditor]) {
      editor?.removeKeyMap("tab-leaves");
      editor?.addKeyMap({ name: "tab-leaves", Tab: false, "Shift-Tab": false });
    }
  }, [queryEditor, variableEditor, responseEditor]);
}
