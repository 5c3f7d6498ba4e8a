/** Scrolls the tab in front into view, unless it is in view already. */
export function bringTabIntoView(): void {
  const tab = document.querySelector(".graphiql-tab-active");
  const strip = tab?.parentElement?.getBoundingClientRect();
  if (!tab || !strip) return;
  const { left, right, top } = tab.getBoundingClientRect();
  // Scrolling would also make the tab the place from which the Tab key goes on.
  if (top >= 0 && left >= strip.left && right <= strip.right) return;
  tab.scrollIntoView({ block: "nearest", inline: "nearest" });
}
