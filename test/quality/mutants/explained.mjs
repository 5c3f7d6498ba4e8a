/**
 * Mutants that no test can or need notice, each with its reason. `find` is the text that a mutant replaces, with
 * as much around it as makes it unique in its file; all mutants within it are meant, or those alone that put
 * one of `by` there.
 */
export const explained = [
  {
    file: "src/services/orders/inputs/idempotency-key-text.ts",
    find: 'return text[end] === \'"\' ? inner : "";',
    by: ['"Stryker was here!"'],
    why: "a key with a space is refused as an empty one is",
  },
];
