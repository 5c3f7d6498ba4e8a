/** The contender that the others of a path are compared with. */
export const floorOf = (path) => path.floor ?? "floor";

/** A contender's name on a path. The floor has another name if it does more than read. */
export const nameOn = (path, name, table) =>
  name === "floor" ? (path.floorName ?? "F") : table[name].title;

/** The rate of a contender divided by that of its path's floor; undefined on a path that has none. */
export const toFloor = (result, name) =>
  result.contenders.has(floorOf(result.path))
    ? ratio(result, name, floorOf(result.path))
    : undefined;

/** The rate of one contender divided by that of another. */
const ratio = ({ contenders }, of, to) => contenders.get(of).rate / contenders.get(to).rate;

/** The targets of a result whose contenders were measured, each with the ratio that was `measured`. */
export const measuredTargets = (result) =>
  result.path.targets
    .filter(({ of, to }) => result.contenders.has(of) && result.contenders.has(to))
    .map((target) => ({ ...target, measured: ratio(result, target.of, target.to) }));
