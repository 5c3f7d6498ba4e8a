import {
  cacheExchange,
  Client,
  fetchExchange,
  makeOperation,
  mapExchange,
  type CombinedError,
  type OperationResult,
} from "@urql/core";
import { persistedExchange } from "@urql/exchange-persisted";
import type { ClientOptions } from "../session";
import { ConnectionError, isRefusal, shopErrorOf, type Reason } from "../shop-error";
import { within } from "../time-limit";

export interface GraphqlClientOptions extends ClientOptions {
  /** Whether to send the hashes of documents instead of their texts, as for a service with GRAPHQL_DOCUMENTS. */
  readonly hashes?: boolean;
}

/** A client of the shop at an address such as `http://localhost:3000`. Queries go by GET unless they are long. */
export const createGraphqlClient = (
  baseUrl: string,
  { session = {}, timeout = 10_000, hashes = false }: GraphqlClientOptions = {},
): Client =>
  new Client({
    url: `${baseUrl}/graphql`,
    fetch: (input, init) => fetch(input, { ...init, signal: within(timeout, init?.signal) }),
    fetchOptions: () =>
      session.token === undefined ? {} : { headers: { Authorization: `Bearer ${session.token}` } },
    exchanges: [
      mapExchange({
        onError: ({ graphQLErrors }) => {
          if (graphQLErrors.some(({ extensions }) => extensions.code === "UNAUTHENTICATED")) {
            session.token = undefined;
          }
        },
      }),
      cacheExchange,
      ...(hashes ? [trustedDocuments] : []),
      secretsByPost,
      fetchExchange,
    ],
  });

const trustedDocuments = persistedExchange({
  enforcePersistedQueries: true,
  enableForMutation: true,
  generateHash: (_text, document) => Promise.resolve(hashIn(document)),
});

/** A query whose context has `isSecret` goes by POST: browsers and proxies keep addresses. */
const secretsByPost = mapExchange({
  onOperation: (operation) =>
    operation.context.isSecret === true
      ? makeOperation(operation.kind, operation, { ...operation.context, preferGetMethod: false })
      : operation,
});

/** The hash that the generator gave the document; it writes the algorithm before it. */
export function hashIn(document: object): string {
  const { __meta__: meta } = document as { readonly __meta__?: { readonly hash: string } };
  if (!meta) throw new Error("The document is not one of the generated ones");
  return meta.hash.replace("sha256:", "");
}

/**
 * The data of a result.
 *
 * @throws ShopError if the shop refuses the operation, ConnectionError if no whole answer comes
 */
export function dataOf<Data>({ data, error }: OperationResult<Data>): Data {
  if (error) throw failureOf(error);
  if (data === undefined) throw new Error("The result has neither data nor an error");
  return data;
}

/** What the shop says of an error. */
interface Extensions {
  readonly code?: string;
  readonly http?: unknown;
  readonly reasons?: readonly Reason[];
}

function failureOf({ graphQLErrors: [first], networkError, response }: CombinedError): Error {
  const answer = response as Response | undefined;
  if (first && answer) {
    const { http, ...details } = first.extensions as Extensions;
    const unknown = { statusCode: 500, message: first.message, error: first.name };
    return shopErrorOf(answer, isRefusal(http) ? http : unknown, details);
  }
  // A proxy on the way has refused the request with a page of its own.
  if (answer && !answer.ok) return shopErrorOf(answer);
  return new ConnectionError(networkError);
}
