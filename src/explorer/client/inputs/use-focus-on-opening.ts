import * as React from "react";

/** Where someone types or chooses a tab, the focus stays. */
const KEEPS_FOCUS = "input, textarea, select, [role=tab], dialog *";

/**
 * Whether the focus may go to what has been opened: not from where someone types, nor on a touch screen, where the
 * keyboard would cover it.
 */
export const mayMoveFocus = (): boolean =>
  !document.activeElement?.matches(KEEPS_FOCUS) && matchMedia("(pointer: fine)").matches;

/** Moves the focus into the form when another tab has been opened, but not at first. */
export function useFocusOnOpening(tabId: string, form: React.RefObject<HTMLElement>): void {
  const before = React.useRef(tabId);
  React.useEffect(() => {
    const isOpened = before.current !== "" && before.current !== tabId;
    before.current = tabId;
    if (isOpened && mayMoveFocus()) focusFirstField(form.current);
  }, [tabId]);
}

/** Moves the focus to the first field that must be filled in, else to the first one. */
export function focusFirstField(form: Element | null): void {
  const controls = [
    ...(form?.querySelectorAll<HTMLInputElement>(".operation-form :is(input, select, textarea)") ??
      []),
  ];
  const isMissing = (control: HTMLInputElement) =>
    control.ariaRequired === "true" && control.value === "";
  (controls.find(isMissing) ?? controls[0])?.focus();
}
