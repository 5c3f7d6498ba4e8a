import { element } from "../element";
import type { Group, Prepared } from "../operations/prepared";
import { moveWithKeys } from "./menu-keys";

/** Fills the menu of prepared operations, in their groups. */
export function showMenu(groups: readonly Group[], open: (operation: Prepared) => void): void {
  const menu = element("operations");
  for (const { label, operations } of groups) {
    const heading = document.createElement("h2");
    heading.textContent = label;
    const list = document.createElement("ul");
    list.append(...operations.map((operation) => entry(operation, menu, open)));
    menu.append(heading, list);
  }
  moveWithKeys(menu, element("operations-button"));
}

function entry(
  operation: Prepared,
  menu: HTMLElement,
  open: (operation: Prepared) => void,
): HTMLLIElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = operation.label;
  button.addEventListener("click", () => {
    menu.hidePopover();
    open(operation);
  });
  const item = document.createElement("li");
  item.append(button);
  return item;
}
