import { setFlagsFromString } from "node:v8";

const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

// Most of what a start allocates are modules, which stay. V8 takes that for load and enlarges its young generation to
// 32 MB, which an idle process then keeps. So the young generation does not grow before the service listens.
growBy(1);

/** Lets the young generation grow with the load, as V8 does by default. */
export const growWithLoad = (): void => growBy(2);
