import { routes, type RestOperation } from "../../src/rest/routes";
import type { GraphqlBody } from "../graphql/client";
import type { TestApp } from "../support/app";
import { send, sendJson, type Answer } from "../support/raw-http";

/** What sends a change to each door. */
export const doorsOf = (app: Pick<TestApp, "url">) => ({
  REST: async (
    operation: RestOperation,
    { id, body, headers }: { id: number; body: object | undefined; headers: object },
  ): Promise<Answer> => {
    const [method = "", route = ""] = routes[operation].split(" ");
    const path = route.replace(":id", String(id));
    return body
      ? sendJson(app.url, method, path, JSON.stringify(body), { ...headers })
      : send(app.url, { method, path, headers: { ...headers } });
  },
  GRAPHQL: async (field: string, headers: object): Promise<GraphqlBody> => {
    const body = JSON.stringify({ query: `mutation { ${field} }` });
    return (await sendJson(app.url, "POST", "/graphql", body, { ...headers })).body as GraphqlBody;
  },
});
