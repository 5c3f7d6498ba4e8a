const { GraphiQL, React, ReactDOM } = globalThis;

/** GraphiQL. Its tabs live in `storage`, without headers and answers. */
export class Workbench {
  #editor;

  constructor(element, { fetcher, storage, first }) {
    const Handle = () => {
      this.#editor = GraphiQL.React.useEditorContext({ nonNull: true });
      useTabToLeave(this.#editor);
      return null;
    };
    const props = {
      fetcher,
      storage: clearable(storage),
      // What is stored knows better which tab was the last.
      ...(storage.getItem("graphiql:tabState") ? {} : contentOf(first)),
      defaultQuery: "",
      defaultEditorToolsVisibility: "variables",
      forcedTheme: "system",
      isHeadersEditorEnabled: false,
      shouldPersistHeaders: false,
    };
    const { createElement } = React;
    ReactDOM.createRoot(element).render(
      createElement(GraphiQL, props, createElement(GraphiQL.Logo, null, ""), createElement(Handle)),
    );
  }

  /** Takes the answers of all tabs away. */
  clearAnswers() {
    const { tabs, responseEditor } = this.#editor;
    // GraphiQL has no call for tabs that are not shown; it reads their answers when they are.
    for (const tab of tabs) tab.response = null;
    responseEditor?.setValue("");
  }

  /** Shows a prepared operation in a tab: its untouched one where there is one, else a new one. */
  open(operation) {
    const { tabs, moveTab, changeTab, setOperationName, variableEditor } = this.#editor;
    const tab = newTab(contentOf(operation));
    const existing = tabs.findIndex(({ hash }) => hash === tab.hash);
    if (existing < 0) moveTab([...tabs, tab]);
    changeTab(existing < 0 ? tabs.length : existing);
    // GraphiQL would find it out a moment later, and until then run that of the tab before.
    setOperationName(tab.operationName);
    // On a touch screen, the keyboard would cover what has just been opened.
    if (globalThis.matchMedia("(pointer: fine)").matches) variableEditor?.focus();
  }
}

/** Lets the tabulator key leave an editor, which would otherwise indent and hold whoever has no mouse. */
function useTabToLeave({ queryEditor, variableEditor, responseEditor }) {
  React.useEffect(() => {
    for (const editor of [queryEditor, variableEditor, responseEditor]) {
      editor?.removeKeyMap("tab-leaves");
      editor?.addKeyMap({ name: "tab-leaves", Tab: false, "Shift-Tab": false });
    }
  }, [queryEditor, variableEditor, responseEditor]);
}

const contentOf = ({ query, variables }) => ({
  query,
  variables: JSON.stringify(variables(), null, 2),
});

const newTab = ({ query, variables }) => {
  const title = /(?:query|mutation) (\w+)/.exec(query)[1];
  return {
    id: `prepared-${Date.now()}`,
    hash: [query, variables, ""].join("|"),
    title,
    operationName: title,
    query,
    variables,
    headers: null,
    response: null,
  };
};

/** GraphiQL's "Clear data" clears the whole storage; of this one, just what is GraphiQL's. */
const clearable = (storage) => ({
  getItem: (key) => storage.getItem(key),
  setItem: (key, value) => storage.setItem(key, value),
  removeItem: (key) => storage.removeItem(key),
  get length() {
    return storage.length;
  },
  clear: () => {
    for (const key of Object.keys(storage)) {
      if (key.startsWith("graphiql:")) storage.removeItem(key);
    }
  },
});
