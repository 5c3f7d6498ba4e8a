/** Where a held Enter writes lines, unless it is one with Ctrl or ⌘, which runs. */
const LINES = "textarea";

/** Keeps a key that is held down from pressing more than once: not what has come under it meanwhile, either. */
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
