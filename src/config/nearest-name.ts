/**
 * The one of these names that was most likely meant; undefined if none is near. Case and underscores don't count. In
 * a short text, one mistake is the most: other programs have `DB_HOST`, which is not `HOST`, and `DATABASE_SSL`.
 */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const words = wordsOf(name);
  const near = names
    .map((each) => ({ each, edits: editsBetween(words.join(""), wordsOf(each).join("")) }))
    .filter(({ each }) => areNear(words, wordsOf(each)));
  return near.sort((one, other) => one.edits - other.edits)[0]?.each;
}

const wordsOf = (name: string): string[] => name.toUpperCase().split("_");

/** Whether names are near as a whole and, unless an underscore was added or dropped, word by word. */
const areNear = (words: readonly string[], others: readonly string[]): boolean =>
  isNear(words.join(""), others.join("")) &&
  (words.length !== others.length || words.every((word, at) => isNear(word, others[at] ?? "")));

const isNear = (one: string, other: string): boolean =>
  editsBetween(one, other) <= (Math.min(one.length, other.length) < 6 ? 1 : 2);

/** How many letters must be added, dropped, replaced or swapped with their neighbour to make one text the other. */
function editsBetween(one: string, other: string): number {
  /** `table[row][column]`: the edits between the first `row` letters of `one` and `column` letters of `other`. */
  const table: number[][] = [];
  const edits = (row: number, column: number): number => table[row]?.[column] ?? Infinity;
  for (let row = 0; row <= one.length; row++) {
    table.push([]);
    for (let column = 0; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      table[row]?.push(
        row + column === 0
          ? 0
          : Math.min(
              edits(row - 1, column) + 1,
              edits(row, column - 1) + 1,
              edits(row - 1, column - 1) + (isSame ? 0 : 1),
              edits(row - 2, column - 2) + (isSwapped ? 1 : Infinity),
            ),
      );
    }
  }
  return edits(one.length, other.length);
}
