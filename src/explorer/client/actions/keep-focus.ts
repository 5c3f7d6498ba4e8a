const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]";

/**
 * Remembers what has the focus. The function that it returns brings the focus back there, or near it
 * where it is gone.
 */
export function keepFocus(): () => void {
  const { activeElement } = document;
  const around: Element[] = [];
  for (let each = activeElement?.parentElement; each; each = each.parentElement) around.push(each);
  return () => {
    const near = around
      .filter(({ isConnected }) => isConnected)
      .map((element) => element.querySelector(`:is(${FOCUSABLE}):not(:disabled)`));
    const target = activeElement?.isConnected ? activeElement : near.find((each) => each !== null);
    if (target instanceof HTMLElement) target.focus();
  };
}
