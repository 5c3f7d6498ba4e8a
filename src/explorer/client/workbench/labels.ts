import { bringTabIntoView } from "./tab-in-view";

/**
 * Mends what GraphiQL tells of its parts, now and whenever it shows something else: which of its elements is the
 * tab, names that hide what a button says, and operations that are called as in their document.
 *
 * @param names what operations are called, by their names in a document
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
    // The node is GraphiQL's, which sets its text where it calls the operation otherwise. What is as it should be is
    // left alone: setting it would be another change to mend.
    if (firstChild && name !== undefined && firstChild.nodeValue !== name) {
      firstChild.nodeValue = name;
      isRenamed = true;
    }
  }
  // Names are wider or narrower than those that they replace, and so move the tab that was just brought into view.
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

/** A tab holds no buttons, so its item is none; the one that closes it is for pointers, beside the Delete key. */
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
