import createClient, { type Client, type Middleware } from "openapi-fetch";
import { ConnectionError, isRefusal, ShopError } from "../shop-error";
import type { ClientOptions, Session } from "../session";
import type { components, paths } from "./generated/schema";

/** A typed client of the REST door. */
export type Shop = Client<paths>;

/** What the shop's bodies look like, by name. */
export type Schemas = components["schemas"];

/** A client of the shop at an address such as `http://localhost:3000`. */
export function createShop(
  baseUrl: string,
  { session = {}, timeout = 10_000 }: ClientOptions = {},
): Shop {
  const shop = createClient<paths>({
    baseUrl,
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(timeout) }),
  });
  shop.use(tokenOf(session), connectionErrors);
  return shop;
}

const tokenOf = (session: Session): Middleware => ({
  onRequest: ({ request }) => {
    if (session.token) request.headers.set("Authorization", `Bearer ${session.token}`);
  },
  onResponse: ({ response }) => {
    if (response.status === 401) session.token = undefined;
  },
});

const connectionErrors: Middleware = { onError: ({ error }) => new ConnectionError(error) };

/** What a call came to: the data of its answer, or the refusal, and the response that had it. */
interface Outcome<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The data that a call answers with.
 *
 * @throws ShopError if the shop refuses the request, ConnectionError if no answer comes
 */
export async function dataOf<Data>(call: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (data !== undefined) return data;
  const { status, statusText, headers } = response;
  const refusal = isRefusal(error)
    ? error
    : { statusCode: status, message: statusText, error: statusText };
  const retryAfter = Number(headers.get("Retry-After") ?? undefined);
  throw new ShopError(refusal, {
    requestId: headers.get("X-Request-Id") ?? undefined,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}
