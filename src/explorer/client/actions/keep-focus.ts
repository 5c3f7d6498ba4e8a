/**
 * Remembers what has the focus. The function that it returns brings the focus back there. Where that is gone, the
 * focus goes to what is around it, such as its row, and never to another button: the next Enter would press it.
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
