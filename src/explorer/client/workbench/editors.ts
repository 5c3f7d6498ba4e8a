import { useEditorContext, useExecutionContext } from "@graphiql/react";
import * as React from "react";

/** What GraphiQL lets others do with its tabs and editors. */
export type Editors = ReturnType<typeof useEditors>;

export function useEditors() {
  const editors = useEditorContext({ nonNull: true });
  const { run, stop } = useExecutionContext({ nonNull: true });
  const { queryEditor, variableEditor, responseEditor, tabs, activeTabIndex } = editors;
  useTabKeyThatLeaves(editors);
  useLabels(editors);
  useTabInView(activeTabIndex, tabs.length);
  const isReady = Boolean(queryEditor && variableEditor && responseEditor);
  return { ...editors, activeTab: tabs[activeTabIndex], run, stop, isReady };
}

type Context = ReturnType<typeof useEditorContext> & object;

/** Lets the tabulator key leave an editor, which would otherwise indent and hold whoever has no mouse. */
function useTabKeyThatLeaves({ queryEditor, variableEditor, responseEditor }: Context): void {
  React.useEffect(() => {
    for (const editor of [queryEditor, variableEditor, responseEditor]) {
      editor?.removeKeyMap("tab-leaves");
      editor?.addKeyMap({ name: "tab-leaves", Tab: false, "Shift-Tab": false });
    }
  }, [queryEditor, variableEditor, responseEditor]);
}

/** Names the fields of the editors for those who can't see where they are. */
function useLabels({ queryEditor, variableEditor, responseEditor }: Context): void {
  React.useEffect(() => {
    queryEditor?.getInputField().setAttribute("aria-label", "Query");
    variableEditor?.getInputField().setAttribute("aria-label", "Variables as JSON");
    responseEditor?.getInputField().setAttribute("aria-label", "Answer as JSON");
  }, [queryEditor, variableEditor, responseEditor]);
}

/** Scrolls the tab that has come to the front into view. */
function useTabInView(activeTabIndex: number, count: number): void {
  React.useEffect(() => {
    const tab = document.querySelector(".graphiql-tab-active");
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [activeTabIndex, count]);
}
