import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Frees everything that nothing refers to any more. */
export const collectGarbage = runInNewContext("gc") as () => void;
