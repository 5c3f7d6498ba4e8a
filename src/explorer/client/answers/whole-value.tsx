import * as React from "react";
import type { Whole } from "./cell";

interface WholeValueProps extends Whole {
  readonly onClose: () => void;
}

/** Shows a value that is too long for its cell, until it is closed. Then the focus returns to the cell. */
export function WholeValue({ title, text, onClose }: WholeValueProps): React.ReactNode {
  const popover = React.useRef<HTMLDivElement>(null);
  const close = React.useRef<HTMLButtonElement>(null);
  const heading = React.useId();
  React.useLayoutEffect(() => {
    const element = popover.current;
    const closed = (event: Event) => {
      if ((event as ToggleEvent).newState === "closed") onClose();
    };
    element?.addEventListener("toggle", closed);
    element?.showPopover();
    close.current?.focus();
    return () => element?.removeEventListener("toggle", closed);
  }, [onClose]);
  return (
    <div
      ref={popover}
      className="answer-popover whole"
      role="dialog"
      aria-labelledby={heading}
      // React's types lack this attribute.
      {...{ popover: "auto" }}
    >
      <div className="whole-bar">
        <h3 id={heading}>{title}</h3>
        <button
          ref={close}
          type="button"
          className="button"
          onClick={() => popover.current?.hidePopover()}
        >
          Close
        </button>
      </div>
      <div className="whole-text" dir="auto" tabIndex={0} role="group" aria-label="Whole value">
        {text}
      </div>
    </div>
  );
}
