import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from "@apollo/client";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { hashIn } from "../graphql/client";

/** Apollo Client for the shop, as `createGraphqlClient` makes urql's; queries go by GET. */
export function createApolloClient(baseUrl: string, { hashes = false } = {}): ApolloClient {
  const http = new HttpLink({ uri: `${baseUrl}/graphql`, useGETForQueries: true });
  const trustedDocuments = new PersistedQueryLink({
    generateHash: hashIn,
    useGETForHashedQueries: true,
  });
  return new ApolloClient({
    link: hashes ? ApolloLink.from([trustedDocuments, http]) : http,
    cache: new InMemoryCache(),
  });
}
