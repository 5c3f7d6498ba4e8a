import { bringTabIntoView } from "./tab-in-view";

/**
 * Corrects GraphiQL's labels and roles, now and whenever it shows something else: gives the role of a tab to the right
 * element, removes labels that hide the text of a button, and shows the menu's names of operations.
 *
 * @param names the menu's names of operations, by their names in a document
 */
export function mendLabels(page: HTMLElement, names: ReadonlyMap<string, string>): void {
  mend(page, names);
  new MutationObserver(() => mend(page, names)).observe(page, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ["aria-selected"],
  });
  page.addEventListener("keydown", closeTab);
}

const OPERATIONS = ".graphiql-tab-button, .graphiql-history-item-label";

function mend(page: HTMLElement, names: ReadonlyMap<string, string>): void {
  let isRenamed = false;
  for (const { firstChild } of page.querySelectorAll(OPERATIONS)) {
    const name = names.get(firstChild?.nodeValue ?? "");
    // The text node is GraphiQL's, and GraphiQL sets its text again when the operation's name changes. A right text
    // is left alone: setting it would be another change to correct.
    if (firstChild && name !== undefined && firstChild.nodeValue !== name) {
      firstChild.nodeValue = name;
      isRenamed = true;
    }
  }
  // The new names are wider or narrower, and so they move the tab that was just brought into view.
  if (isRenamed) bringTabIntoView();
  page.querySelectorAll("li.graphiql-tab").forEach(mendTab);
  for (const button of page.querySelectorAll(".graphiql-tab-close:not([aria-hidden])")) {
    button.setAttribute("aria-hidden", "true");
    button.setAttribute("tabindex", "-1");
  }
  for (const label of page.querySelectorAll(".graphiql-history-item-label[aria-label]")) {
    label.removeAttribute("aria-label");
  }
}

/** Makes the button the tab, not the list item: a tab must not contain buttons. The Delete key closes it, too. */
function mendTab(item: Element): void {
  const isSelected = item.getAttribute("aria-selected");
  if (isSelected === null) return;
  item.setAttribute("role", "presentation");
  item.removeAttribute("aria-selected");
  const tab = item.querySelector(".graphiql-tab-button");
  tab?.setAttribute("role", "tab");
  tab?.setAttribute("aria-selected", isSelected);
  tab?.setAttribute("aria-keyshortcuts", "Delete");
}

function closeTab({ key, target }: KeyboardEvent): void {
  if (key !== "Delete" || !(target instanceof Element)) return;
  if (!target.matches(".graphiql-tab-button")) return;
  target.parentElement?.querySelector<HTMLElement>(".graphiql-tab-close")?.click();
}
