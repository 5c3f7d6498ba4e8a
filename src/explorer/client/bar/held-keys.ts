/** The elements in which a held Enter writes lines. With Ctrl or ⌘, Enter runs the operation instead. */
const LINES = "textarea";

/** Makes a held key press only once, also if another button gets the focus meanwhile. */
export function ignoreHeldKeys(page: EventTarget): void {
  page.addEventListener("keydown", stopHeld, { capture: true });
}

function stopHeld(event: Event): void {
  if (!(event instanceof KeyboardEvent) || !event.repeat) return;
  const { key, target, ctrlKey, metaKey } = event;
  const writes = target instanceof Element && target.matches(LINES) && !ctrlKey && !metaKey;
  const presses = key === "Enter" ? !writes : key === " " && target instanceof HTMLButtonElement;
  if (!presses) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
