import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { hashIn } from "../graphql/client";

/**
 * Apollo Client for the shop, as `createGraphqlClient` makes urql's. Queries go by GET, unless their context has
 * `isSecret`: browsers and proxies keep addresses.
 */
export function createApolloClient(baseUrl: string, { hashes = false } = {}): ApolloClient {
  const linkBy = (byGet: boolean): ApolloLink => {
    const http = new HttpLink({ uri: `${baseUrl}/graphql`, useGETForQueries: byGet });
    if (!hashes) return http;
    const trustedDocuments = new PersistedQueryLink({
      generateHash: hashIn,
      useGETForHashedQueries: byGet,
    });
    return ApolloLink.from([trustedDocuments, http]);
  };
  return new ApolloClient({
    link: ApolloLink.split(
      (operation) => operation.getContext().isSecret === true,
      linkBy(false),
      linkBy(true),
    ),
    cache: new InMemoryCache(),
  });
}
