import { Lexer, Source, TokenKind } from "graphql";

const OPENING: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/**
 * Whether the brackets, braces and parentheses in a document's first `tokens` tokens are nested deeper than
 * `levels`. The parser recurses at each level, until its stack overflows.
 */
export function isNestedBeyond(
  document: string,
  { levels, tokens }: { readonly levels: number; readonly tokens: number },
): boolean {
  // Most documents have fewer opening brackets in all, even with those in texts and comments.
  if ((document.match(/[[({]/g)?.length ?? 0) <= levels) return false;
  const lexer = new Lexer(new Source(document));
  let depth = 0;
  try {
    for (let count = 0; count <= tokens; count += 1) {
      const { kind } = lexer.advance();
      if (kind === TokenKind.EOF) return false;
      if (OPENING.includes(kind)) depth += 1;
      else if (CLOSING.includes(kind)) depth -= 1;
      if (depth > levels) return true;
    }
    return false; // the parser reads no more tokens either
  } catch {
    return false; // the parser fails here as well, and reports why
  }
}
