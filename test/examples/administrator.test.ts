import * as graphql from "../../examples/graphql/administrator";
import { createGraphqlClient } from "../../examples/graphql/client";
import * as rest from "../../examples/rest/administrator";
import { createShop } from "../../examples/rest/client";
import type { Credentials, Session } from "../../examples/session";
import { useApp } from "../support/app";
import { PASSWORD } from "../support/factories";

const app = useApp();
beforeAll(async () => {
  await app.make.order({ customer_email: "paid@example.com", status: "PAID" });
  await app.make.order({ customer_email: "pending@example.com" });
});

const asked = (session: Session) => ({
  REST: {
    signIn: (credentials: Credentials) =>
      rest.signIn(createShop(app.url, { session }), session, credentials),
    orders: () => rest.ordersIn(createShop(app.url, { session }), "PAID"),
  },
  GraphQL: {
    signIn: (credentials: Credentials) =>
      graphql.signIn(createGraphqlClient(app.url, { session }), session, credentials),
    orders: () => graphql.ordersIn(createGraphqlClient(app.url, { session }), "PAID"),
  },
});

describe.each(["REST", "GraphQL"] as const)("an administrator by the %s example", (door) => {
  test("signs in and sees the orders in a state, until the account is closed", async () => {
    const session: Session = {};
    const { signIn, orders } = asked(session)[door];
    await expect(orders()).rejects.toMatchObject({ status: 401 });
    const { id, email } = await app.make.admin();
    await signIn({ email, password: PASSWORD });
    expect(await orders()).toMatchObject([{ customerEmail: "paid@example.com" }]);
    await app.sql("UPDATE admins SET is_active = false WHERE id = $1", [id]);
    expect(session.token).toBeDefined();
    await expect(orders()).rejects.toMatchObject({ status: 401 });
    expect(session.token).toBeUndefined();
  });

  test("is told of wrong credentials", async () => {
    const session: Session = {};
    const { email } = await app.make.admin();
    const attempt = asked(session)[door].signIn({ email, password: "wrong" });
    await expect(attempt).rejects.toMatchObject({
      status: 400,
      messages: ["Invalid credentials"],
      byField: new Map(),
    });
    expect(session.token).toBeUndefined();
  });
});
