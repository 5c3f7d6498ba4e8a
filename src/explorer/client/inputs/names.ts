/** The name of a field as words: `customerEmail` is "Customer email". */
export function words(name: string): string {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ");
  return upperFirst(spaced.toLowerCase());
}

export const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The singular of a name: `categories` becomes `category`, and `productIds` becomes `productId`. */
export function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.endsWith("s") && !name.endsWith("ss") ? name.slice(0, -1) : name;
}
