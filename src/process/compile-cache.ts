import module from "node:module";

/** Node has it since 22.8; the declarations are those of the oldest Node that is supported. */
interface CompileCache {
  enableCompileCache?(): unknown;
}

// Entries import this first, because only what is loaded later is kept compiled for the next start. Where
// Node can't write its folder, nothing is kept; it throws no error.
(module as CompileCache).enableCompileCache?.();
