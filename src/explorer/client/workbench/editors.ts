import { useEditorContext, useExecutionContext } from "@graphiql/react";
import * as React from "react";
import { bringTabIntoView } from "./tab-in-view";

/** The parts of GraphiQL by which other code works with its tabs and editors. */
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

/** Lets the Tab key leave an editor. Otherwise it would indent, and trap people who have no mouse. */
function useTabKeyThatLeaves({ queryEditor, variableEditor, responseEditor }: Context): void {
  React.useEffect(() => {
    for (const editor of [queryEditor, variableEditor, responseEditor]) {
      editor?.removeKeyMap("tab-leaves");
      editor?.addKeyMap({ name: "tab-leaves", Tab: false, "Shift-Tab": false });
    }
  }, [queryEditor, variableEditor, responseEditor]);
}

/** Names the editors for screen readers, and lets the keyboard reach their scrolling parts. */
function useLabels({ queryEditor, variableEditor, responseEditor }: Context): void {
  React.useEffect(() => {
    if (queryEditor) label(queryEditor, "Query");
    if (variableEditor) label(variableEditor, "Variables as JSON");
    if (responseEditor) label(responseEditor, "Answer as JSON");
  }, [queryEditor, variableEditor, responseEditor]);
}

/**
 * The scrolling part of an editor is outside its input field. So it is a stop of the Tab key itself, and hands the
 * focus on to the field. While the field has the focus, it is no stop.
 */
function label(editor: NonNullable<Context["responseEditor"]>, name: string): void {
  editor.getInputField().setAttribute("aria-label", name);
  const scroller = editor.getScrollerElement();
  const setStop = (isStop: boolean) => scroller.setAttribute("tabindex", isStop ? "0" : "-1");
  setStop(!editor.hasFocus());
  scroller.addEventListener("focus", () => editor.focus());
  editor.on("focus", () => setStop(false));
  editor.on("blur", () => setStop(true));
}

/** Scrolls the tab in front into view whenever another one comes to the front. */
function useTabInView(activeTabIndex: number, count: number): void {
  React.useEffect(bringTabIntoView, [activeTabIndex, count]);
}
