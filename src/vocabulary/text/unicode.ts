/** Whether PostgreSQL can store the text unaltered, that is, without a NUL or a lone surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** The length in code points, like PostgreSQL's `char_length`. */
export const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/**
 * A visible character. Unicode's default-ignorable characters are joiners, marks, selectors and fillers
 * without a glyph. The characters listed by code point are rendered blank or not at all.
 */
const VISIBLE =
  /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u{16FE4}\u2800\uFFF9-\uFFFB\u{13441}\u{13442}\u{1D159}]/u;

/** Whether the text is empty or has only white space, control characters and other invisible characters. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);
