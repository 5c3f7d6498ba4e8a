/**
 * Mends what GraphiQL tells those who can't see it, now and whenever it shows something else: which of its
 * elements is the tab, and names that hide what a button says.
 */
export function mendLabels(page: HTMLElement): void {
  mend(page);
  new MutationObserver(() => mend(page)).observe(page, {
    subtree: true,
    childList: true,
    attributeFilter: ["aria-selected"],
  });
  page.addEventListener("keydown", closeTab);
}

function mend(page: HTMLElement): void {
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
