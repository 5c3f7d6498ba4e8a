/** A number of things in words, such as `1 order` or `2,000 entries`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : several}`;
