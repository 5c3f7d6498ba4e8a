import { messageOf } from "../message-of";
import type { Prepared } from "../operations/prepared";
import { linkedBy } from "../workbench/link";
import type { Workbench } from "../workbench/workbench";
import { say } from "./status";

/**
 * Opens the operation that the address names, now and whenever the part of the address after the `#` changes. A
 * query runs at once, unless it lacks a variable; a mutation is left to the administrator. Then the part after the
 * `#` is removed, so that a reload opens nothing. A link waits while a dialog is open, because the dialog is about
 * the tab in front.
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
