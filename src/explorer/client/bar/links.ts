import { messageOf } from "../message-of";
import type { Prepared } from "../operations/prepared";
import { linkedBy } from "../workbench/link";
import type { Workbench } from "../workbench/workbench";
import { say } from "./status";

/**
 * Opens the operation that the address names, now and whenever its part after the `#` changes. A query runs at
 * once, unless it lacks a variable; a mutation is left to the administrator. The address is then cleaned, so that a reload opens nothing.
 * While a dialog is open, which is about the tab in front, a link waits.
 *
 * @returns whether a link was opened
 */
export function openLinks(workbench: Workbench, operations: readonly Prepared[]): () => boolean {
  let isOpened = false;
  const open = () => {
    const { hash } = location;
    const dialog = document.querySelector("dialog[open]");
    if (dialog) {
      dialog.addEventListener("close", open, { once: true });
      return;
    }
    try {
      const linked = linkedBy(hash, operations);
      if (!linked) return;
      workbench.open(linked.operation, linked.variables);
      isOpened = true;
    } catch (fault) {
      say(messageOf(fault), "fault");
    }
    history.replaceState(history.state, "", location.pathname + location.search);
  };
  addEventListener("hashchange", open);
  open();
  return () => isOpened;
}
