import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "major"; execution: "async" }) => Promise<void>;

let collect: Collect | undefined;

/**
 * Makes Node free memory that is no longer used. By itself, on a machine with much memory, Node first lets the
 * process grow to several times the memory in use: to 511 MB where large answers are promised 320 MB.
 */
export function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
  }
  void collect({ type: "major", execution: "async" });
}
