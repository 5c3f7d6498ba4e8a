import { hash } from "node:crypto";
import type { Request } from "express";
import type { Answer, CatalogueCache, CatalogueRead } from "../reads/catalogue-cache";
import { HeaderMap, type ApolloServerPlugin, type GraphQLResponse } from "@apollo/server";
import type { DocumentNode, OperationDefinitionNode } from "graphql";
import { DomainError } from "../vocabulary/errors";
import type { FailureReport } from "../http/answer/failure-report";
import { refusalOf } from "../services/refusals";
import type { Context } from "./context";
import type { TrustedDocuments } from "./operation/documents/trusted-documents";
import type { ErrorFormat } from "./errors";
import { graphqlRefusal } from "./graphql-refusal";
import { summaryOf } from "./operation/summary";

/**
 * One request, whose answer is kept if it turns out to be a catalogue read. A kept answer is found before anything
 * is parsed: by the method, the `Accept` header, and the bytes of the body or, for a GET, of the query string.
 */
export class CacheableRequest {
  private readonly key: string;
  private read: CatalogueRead | undefined;
  private isToBeKept = false;

  constructor(
    private readonly cache: CatalogueCache,
    { method, headers }: Request,
    asked: Buffer,
  ) {
    // A line feed can't occur in a header.
    const accept = headers.accept === undefined ? "" : ` accept: ${headers.accept}`;
    const head = Buffer.from(`${method}${accept}\n`);
    this.key = `graphql ${hash("sha256", Buffer.concat([head, asked]), "base64url")}`;
  }

  /** The kept answer, if there is one and it is up to date. */
  async find(): Promise<Answer | undefined> {
    if (!this.cache.has(this.key)) return undefined;
    this.read = await this.cache.begin(this.key);
    return this.read.kept;
  }

  /** Call it before a catalogue read is executed. */
  async begin(): Promise<void> {
    this.read ??= await this.cache.begin(this.key);
  }

  /** Call it when a catalogue read was executed without errors. */
  succeed(): void {
    this.isToBeKept = this.read !== undefined;
  }

  /** Keeps the answer if the catalogue did not change while it was read. */
  async keep(answer: Answer): Promise<void> {
    if (this.isToBeKept && (await this.read?.isCurrent())) this.read?.keep(answer);
  }
}

/**
 * Marks catalogue reads, whose answers may be kept. Must come after the plugins that refuse operations or change
 * answers, because kept answers are sent without them. With a list of trusted documents, answers to other
 * documents are not kept, because only administrators may have them.
 */
export const responseCachePlugin = (
  formatError: ErrorFormat,
  report: FailureReport,
  trusted: TrustedDocuments | undefined,
): ApolloServerPlugin<Context> => ({
  requestDidStart: () => {
    let cacheable: Context["cacheable"];
    return Promise.resolve({
      // Called unless a plugin has refused the operation.
      responseForOperation: async ({ document, operation, request, contextValue }) => {
        if (request.extensions || !isCatalogueRead(operation, document)) return null;
        if (trusted && !trusted.has(request.query ?? "")) return null;
        cacheable = contextValue.cacheable;
        try {
          await cacheable?.begin();
          return null;
        } catch (error) {
          const response = unavailableResponse(error, formatError);
          // If a replica is to blame, the request is repeated at the primary.
          const isRepeated = contextValue.turn?.note(error);
          if (!isRepeated && !(error instanceof DomainError)) report(error, { status: 503 });
          return response;
        }
      },
      willSendResponse: ({ response: { body } }) => {
        if (body.kind === "single" && !body.singleResult.errors) cacheable?.succeed();
        return Promise.resolve();
      },
    });
  },
});

/** The answer if the version can't be read: then the catalogue can't be read either. */
function unavailableResponse(error: unknown, formatError: ErrorFormat): GraphQLResponse {
  const cause = refusalOf(error);
  if (!cause) throw error;
  const refusal = graphqlRefusal(cause);
  const errors = [formatError(refusal.toJSON(), refusal)];
  return {
    http: { status: 503, headers: new HeaderMap() },
    body: { kind: "single", singleResult: { errors } },
  };
}

const isCatalogueRead = (
  // Undefined if the document has no operation of the given name, although Apollo declares it as always there.
  operation: OperationDefinitionNode | undefined,
  document: DocumentNode,
): boolean => operation !== undefined && summaryOf(operation, document).isCatalogueRead;
