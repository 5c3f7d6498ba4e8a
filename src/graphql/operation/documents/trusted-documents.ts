import { hash } from "node:crypto";
import { getIntrospectionQuery } from "graphql";

/** The document by which the explorer signs in. */
export const LOGIN = "mutation Login($input: LoginInput!) { login(input: $input) { accessToken } }";

/** Documents of the service itself: its pages need them before anybody has signed in. */
const ownDocuments = [LOGIN, getIntrospectionQuery()];

/** What tools may ask for in an introspection or leave out, by options of graphql-js. */
const OPTIONS =
  / (description|specifiedByURL|isRepeatable|isOneOf|isDeprecated|deprecationReason)\b|\(includeDeprecated: true\)/g;

/** A document without white space and options. GraphiQL's graphql-js has `kind` before `name`. */
const condensed = (document: string): string =>
  document
    .replaceAll(/\s+/g, " ")
    .replaceAll(OPTIONS, "")
    .replaceAll(/\bkind name\b/g, "name kind")
    .trim();

const ownCondensed: ReadonlySet<string> = new Set(ownDocuments.map(condensed));
/** The most characters of a document that is compared. */
const LONGEST = 5_000;

/** Whether a document is one of the service's own, whatever its white space and the options of an introspection. */
export const isOwnDocument = (document: string): boolean =>
  document.length <= LONGEST && ownCondensed.has(condensed(document));

/** The documents that everybody may send: those of the operator's list, and the service's own. */
export class TrustedDocuments {
  private readonly byHash: ReadonlyMap<string, string>;
  private readonly documents: ReadonlySet<string>;

  /** @param list each document by the SHA-256 of its text, in lower-case hexadecimal digits */
  constructor(list: ReadonlyMap<string, string>) {
    const own = ownDocuments.map((each): [string, string] => [hash("sha256", each, "hex"), each]);
    this.byHash = new Map([...own, ...list]);
    this.documents = new Set(this.byHash.values());
  }

  /** The document with this hash; undefined if there is none. */
  find(sha256: unknown): string | undefined {
    return typeof sha256 === "string" ? this.byHash.get(sha256) : undefined;
  }

  has(document: string): boolean {
    return this.documents.has(document) || isOwnDocument(document);
  }
}
