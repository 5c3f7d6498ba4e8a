/** The element of the page with this id. */
export function element<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`There is no element ${id}`);
  return found as E;
}
