import * as React from "react";
import { createPortal } from "react-dom";
import { keepFocus } from "./keep-focus";

interface DialogProps {
  readonly title: string;
  /** Called on Escape, or on whatever else closes dialogs on this machine. */
  readonly onDismiss: () => void;
  /** Whenever this changes, the focus goes to the element with `data-focus`. */
  readonly focusKey?: string;
  readonly children: React.ReactNode;
}

/** A modal dialog. It is open as long as it is rendered. */
export function Dialog({ title, onDismiss, focusKey, children }: DialogProps): React.ReactNode {
  const ref = React.useRef<HTMLDialogElement>(null);
  const heading = React.useId();
  React.useLayoutEffect(() => {
    const dialog = ref.current;
    const returnFocus = keepFocus();
    dialog?.showModal();
    return () => {
      dialog?.close();
      returnFocus();
    };
  }, []);
  React.useLayoutEffect(() => {
    ref.current?.querySelector<HTMLElement>("[data-focus]")?.focus();
  }, [focusKey]);

  // Otherwise the events would reach the table, which has keys of its own.
  const keyDown = (event: React.KeyboardEvent): void => {
    event.stopPropagation();
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.key !== "Escape") return;
    event.preventDefault();
    onDismiss();
  };
  return createPortal(
    <dialog
      ref={ref}
      className="action-dialog"
      aria-labelledby={heading}
      onKeyDown={keyDown}
      onClick={(event) => event.stopPropagation()}
      onCancel={(event) => {
        event.preventDefault();
        onDismiss();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>,
    document.body,
  );
}
