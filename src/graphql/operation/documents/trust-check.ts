import type { GraphQLRequest } from "@apollo/server";
import type { DomainError } from "../../../vocabulary/errors";
import { forbidden } from "../../../vocabulary/errors";
import { ADMIN } from "../../../services/operations";
import { refusalOf } from "../../../services/refusals";
import type { Context } from "../../context";
import { graphqlRefusal } from "../../graphql-refusal";
import type { DocumentCheck } from "./nesting-check";
import type { TrustedDocuments } from "./trusted-documents";

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
