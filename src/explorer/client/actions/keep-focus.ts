/**
 * Remembers the element that has the focus. The returned function gives the focus back to it. If the element is gone,
 * the focus goes to an element around it, such as its row, but never to another button: the next Enter would press it.
 */
export function keepFocus(): () => void {
  const { activeElement } = document;
  const around: Element[] = [];
  for (let each = activeElement?.parentElement; each; each = each.parentElement) around.push(each);
  return () => {
    const near = around.find((each) => each.isConnected && each.hasAttribute("tabindex"));
    const target = activeElement?.isConnected ? activeElement : near;
    if (target instanceof HTMLElement) target.focus();
  };
}
