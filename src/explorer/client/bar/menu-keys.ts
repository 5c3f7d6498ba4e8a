/** Milliseconds after which a letter begins another search. */
const SEARCH_PAUSE = 700;

/**
 * Moves the focus through the buttons of a menu by arrow keys, Home, End and the first letters of a label. A down or
 * up arrow on the menu's own button opens the menu. Escape is left to the browser, which closes the popover and gives
 * the focus back.
 */
export function moveWithKeys(menu: HTMLElement, opener: HTMLElement): void {
  const search = searcher();
  const items = () => [...menu.querySelectorAll("button")];

  opener.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    opener.focus();
    menu.showPopover();
    items()
      .at(event.key === "ArrowDown" ? 0 : -1)
      ?.focus();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const all = items();
    const current = all.findIndex((item) => item === document.activeElement);
    const target = search(event.key, current, all) ?? targetOf(event.key, current, all.length);
    if (target === undefined) return;
    event.preventDefault();
    all[target]?.focus();
  });
}

function targetOf(key: string, current: number, count: number): number | undefined {
  if (key === "ArrowDown") return (current + 1) % count;
  if (key === "ArrowUp") return (Math.max(current, 0) + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

/** Finds the next item that begins with the typed letters. A pause or another key begins a new search. */
function searcher() {
  let typed = "";
  let last = 0;
  return (key: string, current: number, items: readonly HTMLElement[]): number | undefined => {
    const now = Date.now();
    if (now - last > SEARCH_PAUSE || key.length !== 1) typed = "";
    // Within a search, a space is a letter. Otherwise it presses the button.
    if (key.length !== 1 || (key === " " && typed === "")) return undefined;
    last = now;
    typed += key.toLowerCase();
    const from = Math.max(typed.length > 1 ? current : current + 1, 0);
    const order = [...items.keys()].map((index) => (index + from) % items.length);
    return order.find((index) => items[index]?.textContent.toLowerCase().startsWith(typed));
  };
}
