import * as React from "react";
import { flushSync } from "react-dom";
import type { RowAction } from "../actions/row-actions";

interface RowMenuProps {
  readonly actions: readonly RowAction[];
  readonly rowName: string;
}

/** Pixels between the button and its menu. */
const GAP = 4;

/** A button that opens a menu of actions. */
export function RowMenu({ actions, rowName }: RowMenuProps): React.ReactNode {
  const id = React.useId();
  const button = React.useRef<HTMLButtonElement>(null);
  const menu = React.useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = React.useState(false);

  React.useEffect(() => {
    const element = menu.current;
    const before = (event: Event) => {
      if ((event as ToggleEvent).newState !== "open" || !element || !button.current) return;
      placeBy(button.current, element);
      flushSync(() => setIsOpen(true));
    };
    const after = (event: Event) => {
      const opened = (event as ToggleEvent).newState === "open";
      // Not earlier: only now has the focus returned from the menu to its button.
      setIsOpen(opened);
      if (opened) element?.querySelector("button")?.focus();
    };
    element?.addEventListener("beforetoggle", before);
    element?.addEventListener("toggle", after);
    return () => {
      element?.removeEventListener("beforetoggle", before);
      element?.removeEventListener("toggle", after);
    };
  }, []);

  return (
    <>
      <button
        ref={button}
        type="button"
        className="button small"
        aria-haspopup="menu"
        aria-label={`More, ${rowName}`}
        {...{ popovertarget: id }}
      >
        More
      </button>
      <div
        ref={menu}
        id={id}
        className="answer-popover row-menu"
        role="menu"
        aria-label={`More, ${rowName}`}
        onKeyDown={(event) => moveBy(event, menu.current)}
        {...{ popover: "auto" }}
      >
        {isOpen &&
          actions.map((action) => (
            <button
              key={action.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                menu.current?.hidePopover();
                action.run();
              }}
            >
              {action.label}
            </button>
          ))}
      </div>
    </>
  );
}

/** Puts a menu below its button, or above it if there is more room. */
function placeBy(button: Element, { style }: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect();
  const isLow = bottom > innerHeight / 2;
  style.right = `${Math.max(0, innerWidth - right)}px`;
  style.top = isLow ? "auto" : `${bottom + GAP}px`;
  style.bottom = isLow ? `${innerHeight - top + GAP}px` : "auto";
}

/** The arrow keys go round the menu, and the Tab key leaves it. */
function moveBy(event: React.KeyboardEvent, menu: HTMLElement | null): void {
  const items = Array.from(menu?.querySelectorAll("button") ?? []);
  const last = items.length - 1;
  const index = items.findIndex((item) => item === document.activeElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index === last ? 0 : index + 1,
    ArrowUp: index <= 0 ? last : index - 1,
    Home: 0,
    End: last,
  };
  const target = targets[event.key];
  if (event.key === "Tab") menu?.hidePopover();
  if (target === undefined) return;
  event.preventDefault();
  items[target]?.focus();
}
