import createClient, { type Client, type Middleware } from "openapi-fetch";
import type { ClientOptions, Session } from "../session";
import { ConnectionError, isRefusal, shopErrorOf } from "../shop-error";
import { within } from "../time-limit";
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
    fetch: (request) => fetch(request, { signal: within(timeout, request.signal) }),
  });
  shop.use(tokenOf(session));
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

/** What a call came to: the data of its answer, or the refusal, and the response that had it. */
interface Outcome<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The data that a call answers with.
 *
 * @throws ShopError if the shop refuses the request, ConnectionError if no whole answer comes
 */
export async function dataOf<Data>(call: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw new ConnectionError(cause);
  });
  if (data !== undefined) return data;
  throw shopErrorOf(response, isRefusal(error) ? error : undefined);
}
