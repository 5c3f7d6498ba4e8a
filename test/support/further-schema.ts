import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extendSchema, parse } from "graphql";
import { createHandler } from "graphql-http/lib/use/http";
import { createSchema } from "../../src/graphql/schema/schema";
import type { TestApp } from "./app";

/**
 * Serves a running shop as if its schema had grown: `sdl` extends it. GraphQL is answered without the shop's own
 * context, so only those of the shop's fields work that need none.
 *
 * @param resolvers the resolvers of the new fields of Query and Mutation, by name
 */
export async function serveFurther(
  { shop }: TestApp,
  sdl: string,
  resolvers: Readonly<Record<string, (args: never) => unknown>>,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const schema = extendSchema(createSchema(shop.services), parse(sdl));
  const answer = createHandler({ schema, rootValue: resolvers });
  const server = createServer((request, response) => {
    if (request.method === "POST" && request.url === "/graphql") void answer(request, response);
    else shop.handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
