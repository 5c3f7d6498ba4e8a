import { call } from "./http.mjs";

export const ADMIN = { email: "admin@torture.example", password: "the right password" };

/** The settings with which a service creates this administrator. */
export const ADMIN_SETTINGS = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };

/** The headers of an administrator who has signed in, with `{ email, password }`. */
export async function signIn(url, json = ADMIN) {
  const { status, text } = await call(url, { method: "POST", path: "/auth/login", json });
  if (status !== 200) throw new Error(`The login is answered ${status}: ${text}`);
  return { authorization: `Bearer ${JSON.parse(text).access_token}` };
}

/** Creates an endpoint of webhooks that gets all events, and returns its secret. */
export async function createEndpoint(url, headers, target) {
  const query = `mutation ($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) { secret }
  }`;
  const json = { query, variables: { input: { url: target } } };
  const { text } = await call(url, { method: "POST", path: "/graphql", headers, json });
  const { data, errors } = JSON.parse(text);
  if (errors) throw new Error(text);
  return data.createWebhookEndpoint.secret;
}
