import { flushSync } from "react-dom";
import type { Prepared } from "../operations/prepared";
import type { Variables } from "../service";
import type { Editors } from "./editors";
import { tabOf } from "./tabs";

/** By the id of a tab, the variables that its operation was opened with. */
export type Beginnings = Map<string, string>;

/**
 * Brings the tab of an operation to the front, or a new one. What has been filled in there stays, unless
 * other variables are asked for.
 *
 * @returns whether the tab's variables are others than before, so that its answer is not theirs
 */
export function openTab(
  editors: Editors,
  beginnings: Beginnings,
  operation: Prepared,
  asked: Variables | undefined,
): boolean {
  const { tabs, moveTab, changeTab, setOperationName } = editors;
  const tab = tabOf(operation, asked ?? operation.variables());
  const index = tabs.findIndex(({ query }) => query === operation.query);
  const existing = tabs[index];
  const id = existing?.id ?? tab.id;
  const isUntouched = existing !== undefined && beginnings.get(id) === existing.variables;
  const isSet = !existing || asked !== undefined || isUntouched;
  if (isSet) beginnings.set(id, tab.variables);
  flushSync(() => {
    if (!existing) moveTab([...tabs, tab]);
    changeTab(existing ? index : tabs.length);
    // GraphiQL would find it out a moment later, and until then run that of the tab before.
    setOperationName(tab.operationName);
  });
  const isOther = isSet && existing !== undefined && existing.variables !== tab.variables;
  if (isOther) setContent(editors, { variables: tab.variables, response: "" });
  return isOther;
}

/** Lets the tab in front know its texts, which GraphiQL tells it a moment after a key. */
export function keepTexts({ queryEditor, variableEditor, updateActiveTabValues }: Editors): void {
  const query = queryEditor?.getValue() ?? null;
  const variables = variableEditor?.getValue() ?? null;
  flushSync(() => updateActiveTabValues({ query, variables }));
}

/** Sets texts of the tab in front, in its editors as well. */
export function setContent(
  { variableEditor, responseEditor, updateActiveTabValues }: Editors,
  content: { readonly variables?: string; readonly response: string },
): void {
  if (content.variables !== undefined) variableEditor?.setValue(content.variables);
  responseEditor?.setValue(content.response);
  flushSync(() => updateActiveTabValues(content));
}
