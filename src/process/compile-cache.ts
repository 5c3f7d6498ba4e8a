import module from "node:module";

/** Node has the function since 22.8; the type declarations are those of the oldest supported Node. */
interface CompileCache {
  enableCompileCache?(): unknown;
}

// Entry points import this first, because only modules that are loaded later are cached for the next start. If
// Node can't write its cache folder, it caches nothing and throws no error.
(module as CompileCache).enableCompileCache?.();
