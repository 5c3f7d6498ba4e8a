import { hash } from "node:crypto";
import { getIntrospectionQuery } from "graphql";
import type { GraphQLRequest } from "@apollo/server";
import { forbidden, type DomainError } from "../../../vocabulary/errors";
import { ADMIN } from "../../../services/operations";
import { refusalOf } from "../../../services/refusals";
import type { Context } from "../../context";
import { graphqlRefusal } from "../../errors";
import type { DocumentCheck } from "./nesting-check";

/** The document by which the explorer signs in. */
export const LOGIN = "mutation Login($input: LoginInput!) { login(input: $input) { accessToken } }";

/** The document by which an invited administrator chooses a password. */
const ACCEPT_INVITATION =
  "mutation AcceptInvitation($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { accessToken } }";

/** Documents of the service itself: its pages need them before anybody has signed in. */
const ownDocuments = [
  LOGIN,
  "mutation StartPasskeyLogin { startPasskeyLogin }",
  "mutation LoginWithPasskey($response: JSON!) { loginWithPasskey(response: $response) { accessToken } }",
  ACCEPT_INVITATION,
  getIntrospectionQuery(),
];

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

  find(sha256: unknown): string | undefined {
    return typeof sha256 === "string" ? this.byHash.get(sha256) : undefined;
  }

  has(document: string): boolean {
    return this.documents.has(document) || isOwnDocument(document);
  }
}

/**
 * Replaces a hash by its document, and refuses untrusted documents unless an administrator sends them
 * (contract 10.documents).
 */
export const trustCheck =
  (trusted: TrustedDocuments): DocumentCheck =>
  async (request, context) => {
    const sha256 = takeHash(request);
    if (!request.query && sha256 !== undefined) {
      const document = trusted.find(sha256);
      if (document === undefined) return notFound();
      request.query = document;
    }
    // Without a document, Apollo refuses the request.
    if (!request.query || trusted.has(request.query)) return undefined;
    return refusalUnlessAdministrator(context);
  };

/**
 * Takes the hash out of a request, because Apollo refuses every request that has one. Returns it unchecked: it
 * may be of any type. Undefined if there is none.
 */
function takeHash(request: GraphQLRequest): unknown {
  const { persistedQuery, ...extensions } = (request.extensions ?? {}) as {
    persistedQuery?: { sha256Hash?: unknown } | null;
  };
  if (!persistedQuery) return undefined;
  delete request.extensions;
  if (Object.keys(extensions).length > 0) request.extensions = extensions;
  return persistedQuery.sha256Hash ?? null;
}

/** The error that clients know from automatic persisted queries. */
const notFound = () =>
  graphqlRefusal(new Error("PersistedQueryNotFound"), { code: "PERSISTED_QUERY_NOT_FOUND" });

/** A bad token counts as none. If the token can't be checked, the refusal says so. */
async function refusalUnlessAdministrator(context: Context) {
  try {
    await context.authorize([ADMIN]);
    return undefined;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return graphqlRefusal(isAboutCaller(refusal) ? forbidden("document not trusted") : refusal);
  }
}

const isAboutCaller = ({ code }: DomainError): boolean =>
  code === "UNAUTHENTICATED" || code === "FORBIDDEN";
