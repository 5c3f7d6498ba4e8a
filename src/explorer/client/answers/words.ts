const spaced = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, "$1_$2");

/** A name of the schema as words: "customer email" for `customerEmail`. */
export const wordsOf = (name: string): string =>
  spaced(name).replaceAll("_", " ").trim().toLowerCase();

/** Names of the schema as a heading: "Category name" for `category`, `name`. */
export function headingOf(...names: readonly string[]): string {
  const words = names.map(wordsOf).join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The enum value that stands for a field: `CREATED_AT` for `createdAt`. */
export const constantOf = (name: string): string => spaced(name).toUpperCase();

/** A number of things in English: "3 items". */
export const counted = (count: number, thing: string): string =>
  `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
