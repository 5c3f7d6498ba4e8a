import { flushSync } from "react-dom";
import type { Prepared } from "../operations/prepared";
import type { Variables } from "../service";
import type { Editors } from "./editors";
import { tabOf } from "./tabs";

/** Opens an operation with these variables: in its own tab, whose content it replaces, or in a new tab. */
export function openTab(editors: Editors, operation: Prepared, variables: Variables): void {
  const { tabs, moveTab, changeTab, setOperationName } = editors;
  const tab = tabOf(operation, variables);
  const index = tabs.findIndex(({ query }) => query === operation.query);
  const isOpen = index >= 0;
  flushSync(() => {
    if (!isOpen) moveTab([...tabs, tab]);
    changeTab(isOpen ? index : tabs.length);
    // GraphiQL would find out the name a moment later, and until then run the operation of the previous tab.
    setOperationName(tab.operationName);
  });
  // The tab gets a new id, so that nothing that is stored for it, such as its request, applies to its new content.
  if (isOpen) setContent(editors, { id: tab.id, variables: tab.variables, response: "" });
}

/** Stores the editors' texts in the tab in front. GraphiQL itself does so only a moment after a key press. */
export function keepTexts({ queryEditor, variableEditor, updateActiveTabValues }: Editors): void {
  const query = queryEditor?.getValue() ?? null;
  const variables = variableEditor?.getValue() ?? null;
  flushSync(() => updateActiveTabValues({ query, variables }));
}

/** The content of a tab: its texts, and a new id if it is for something new. */
interface Content {
  readonly id?: string;
  readonly variables?: string;
  readonly response: string;
}

/** Sets the content of the tab in front, and of its editors. */
export function setContent(
  { variableEditor, responseEditor, updateActiveTabValues }: Editors,
  content: Content,
): void {
  if (content.variables !== undefined) variableEditor?.setValue(content.variables);
  responseEditor?.setValue(content.response);
  flushSync(() => updateActiveTabValues(content));
}
