import type { GraphQLRequest } from "@apollo/server";
import { Lexer, Source, TokenKind, type GraphQLError } from "graphql";
import type { Context } from "../../context";
import { invalidInput } from "../../../vocabulary/errors";
import { outOfRange } from "../../../vocabulary/reasons";
import { graphqlRefusal } from "../../errors";

/**
 * Looks at the document of a request before it is parsed, and may change the request.
 *
 * @returns the error if it refuses the document; otherwise undefined
 */
export type DocumentCheck = (
  request: GraphQLRequest,
  context: Context,
) => Promise<GraphQLError | undefined> | GraphQLError | undefined;

/**
 * Deepest nesting of brackets, braces and parentheses in a document. 12 levels of fields with their arguments
 * need about 30 levels; the parser's stack overflows beyond 1,500.
 */
const MAX_NESTING = 200;

/** Refuses documents that are nested too deeply to be parsed. */
export const nestingCheck =
  (maxTokens: number): DocumentCheck =>
  ({ query }) => {
    if (!query || !isNestedBeyond(query, { levels: MAX_NESTING, tokens: maxTokens }))
      return undefined;
    const message = `The document's brackets are nested deeper than ${MAX_NESTING} levels`;
    return graphqlRefusal(invalidInput([outOfRange(message, { min: 0, max: MAX_NESTING })]));
  };

const OPENING: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/**
 * Whether the brackets, braces and parentheses in a document's first `tokens` tokens are nested deeper than
 * `levels`. The parser recurses at each level, until its stack overflows.
 */
function isNestedBeyond(
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
    return false; // the parser stops here as well
  } catch {
    return false; // the parser fails here as well, and reports why
  }
}
