import { flushSync } from "react-dom";
import type { Prepared } from "../operations/prepared";
import type { Variables } from "../service";
import type { Editors } from "./editors";
import { tabOf } from "./tabs";

/** Begins an operation with variables: in its tab, in place of what was there, or in a new one. */
export function openTab(editors: Editors, operation: Prepared, variables: Variables): void {
  const { tabs, moveTab, changeTab, setOperationName } = editors;
  const tab = tabOf(operation, variables);
  const index = tabs.findIndex(({ query }) => query === operation.query);
  const isOpen = index >= 0;
  flushSync(() => {
    if (!isOpen) moveTab([...tabs, tab]);
    changeTab(isOpen ? index : tabs.length);
    // GraphiQL would find it out a moment later, and until then run that of the tab before.
    setOperationName(tab.operationName);
  });
  // By another id: what is known of the tab, such as its request, is not known of what begins in it.
  if (isOpen) setContent(editors, { id: tab.id, variables: tab.variables, response: "" });
}

/** Lets the tab in front know its texts, which GraphiQL tells it a moment after a key. */
export function keepTexts({ queryEditor, variableEditor, updateActiveTabValues }: Editors): void {
  const query = queryEditor?.getValue() ?? null;
  const variables = variableEditor?.getValue() ?? null;
  flushSync(() => updateActiveTabValues({ query, variables }));
}

/** What a tab is given: its texts, and for something new another id. */
interface Content {
  readonly id?: string;
  readonly variables?: string;
  readonly response: string;
}

/** Sets the content of the tab in front, in its editors as well. */
export function setContent(
  { variableEditor, responseEditor, updateActiveTabValues }: Editors,
  content: Content,
): void {
  if (content.variables !== undefined) variableEditor?.setValue(content.variables);
  responseEditor?.setValue(content.response);
  flushSync(() => updateActiveTabValues(content));
}
