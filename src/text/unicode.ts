/** Whether PostgreSQL stores the text unaltered: it has no NUL and no lone surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Length in code points, as PostgreSQL's `char_length` counts. */
export const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/**
 * A character that can be seen. Unicode's default-ignorable ones are the joiners, marks, selectors and
 * fillers that have no shape of their own; what is listed by code point has a shape that is blank.
 */
const VISIBLE =
  /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u{16FE4}\u2800\uFFF9-\uFFFB\u{13441}\u{13442}\u{1D159}]/u;

/** Whether nothing of the text can be seen: it is empty, or all white space, control or blank characters. */
export const showsNothing = (text: string): boolean => !VISIBLE.test(text);
