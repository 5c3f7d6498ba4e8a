/** The one of these names that was most likely meant; undefined if none is near. Case and underscores count less. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const plain = plainOf(name);
  const most = plain.length < 6 ? 1 : 2;
  const near = names
    .map((each) => ({ each, edits: editsBetween(plain, plainOf(each)) }))
    .filter(({ edits }) => edits <= most);
  return near.sort((one, other) => one.edits - other.edits)[0]?.each;
}

const plainOf = (name: string): string => name.toUpperCase().replaceAll("_", "");

/** How many letters must be added, dropped, replaced or swapped with their neighbour to make one text the other. */
function editsBetween(one: string, other: string): number {
  /** The edits between the first letters of both, by how many of each. */
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
