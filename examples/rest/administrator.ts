import type { Credentials, Session } from "../session";
import { dataOf, type Schemas, type Shop } from "./client";

type Order = Schemas["Order"];

/**
 * Signs an administrator in: the session's client sends the token from now on.
 *
 * @throws ShopError with status 400 if the credentials are wrong
 */
export async function signIn(
  shop: Shop,
  session: Session,
  credentials: Credentials,
): Promise<void> {
  const { access_token } = await dataOf(shop.POST("/auth/login", { body: credentials }));
  session.token = access_token;
}

/**
 * The newest orders in a state.
 *
 * @throws ShopError with status 401 if nobody is signed in, or no longer
 */
export async function ordersIn(shop: Shop, status: Order["status"]): Promise<Order[]> {
  const query = { status, pageSize: 20 };
  return (await dataOf(shop.GET("/orders", { params: { query } }))).data;
}
