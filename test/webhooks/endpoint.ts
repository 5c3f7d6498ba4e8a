import { dataOf } from "../graphql/client";
import type { TestApp } from "../support/app";

/** An endpoint, and the secret that its creation or last rotation has shown. */
export interface Endpoint {
  readonly id: number;
  readonly secret: string;
}

/** What an endpoint is created with beside its URL. */
export interface EndpointInput {
  readonly types?: readonly string[];
  readonly includeLookup?: boolean;
  readonly description?: string;
}

/** Makes an endpoint, by default for `test.ping` alone. */
export async function makeEndpoint(
  app: TestApp,
  url: string,
  input: EndpointInput = { types: ["test.ping"] },
): Promise<Endpoint> {
  const { createWebhookEndpoint: created } = await dataOf<{
    createWebhookEndpoint: { secret: string; endpoint: { id: number } };
  }>(
    app,
    `mutation ($input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(input: $input) { secret endpoint { id } }
    }`,
    { input: { url, ...input } },
  );
  return { id: created.endpoint.id, secret: created.secret };
}

/** Replaces the secret of an endpoint, and returns the new one. */
export async function rotateSecret(app: TestApp, { id }: Pick<Endpoint, "id">): Promise<string> {
  const { rotateWebhookSecret } = await dataOf<{ rotateWebhookSecret: string }>(
    app,
    `mutation { rotateWebhookSecret(id: ${id}) }`,
  );
  return rotateWebhookSecret;
}

/** Sends an endpoint a test. */
export const sendTest = (app: TestApp, { id }: Pick<Endpoint, "id">): Promise<unknown> =>
  dataOf(app, `mutation { sendTestEvent(endpointId: ${id}) { id } }`);
