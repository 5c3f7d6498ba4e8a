import * as React from "react";

/** The elements that keep the focus: somebody may be typing there, or choosing a tab. */
const KEEPS_FOCUS = "input, textarea, select, [role=tab], dialog *";

/**
 * Whether the focus may move to something that was opened. It may not while somebody is typing, nor on a touch screen,
 * where the keyboard would cover the page.
 */
export const mayMoveFocus = (): boolean =>
  !document.activeElement?.matches(KEEPS_FOCUS) && matchMedia("(pointer: fine)").matches;

/** Moves the focus into the form when another tab is opened, but not when the page is loaded. */
export function useFocusOnOpening(tabId: string, form: React.RefObject<HTMLElement>): void {
  const before = React.useRef(tabId);
  React.useEffect(() => {
    const isOpened = before.current !== "" && before.current !== tabId;
    before.current = tabId;
    if (isOpened && mayMoveFocus()) focusFirstField(form.current);
  }, [tabId]);
}

/** Moves the focus to the first field that must be filled in, or to the first field if there is none. */
export function focusFirstField(form: Element | null): void {
  const controls = [
    ...(form?.querySelectorAll<HTMLInputElement>(".operation-form :is(input, select, textarea)") ??
      []),
  ];
  const isMissing = (control: HTMLInputElement) =>
    control.ariaRequired === "true" && control.value === "";
  (controls.find(isMissing) ?? controls[0])?.focus();
}
