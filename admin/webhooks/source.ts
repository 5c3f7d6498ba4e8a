import type { Source } from "../api/data-provider";
import type { CreateWebhookEndpointInput, DeliveryPageQuery } from "../api/generated/graphql";
import type { DeliveryState, EndpointListQuery } from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { t } from "../texts";

const EndpointList = graphql(`
  query EndpointList {
    webhookEndpoints {
      id url description types includeLookup isActive disabledBecause failingSince createdAt version
    }
  }
`);
const CreateEndpoint = graphql(`
  mutation CreateEndpoint($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) { secret endpoint { id } }
  }
`);
const UpdateEndpoint = graphql(`
  mutation UpdateEndpoint($id: Int!, $version: Int!, $input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(id: $id, expectedVersion: $version, input: $input) { id }
  }
`);
const DeleteEndpoint = graphql(`
  mutation DeleteEndpoint($id: Int!) { deleteWebhookEndpoint(id: $id) { id } }
`);
const NewSecret = graphql(`
  mutation NewSecret($id: Int!) { rotateWebhookSecret(id: $id) }
`);
const SendTest = graphql(`
  mutation SendTest($id: Int!) { sendTestEvent(endpointId: $id) { id } }
`);
const SendAgain = graphql(`
  mutation SendAgain($id: ID!) { resendDelivery(id: $id) { id } }
`);
const SendAllAgain = graphql(`
  mutation SendAllAgain($id: Int!, $from: DateTime!, $before: DateTime!) {
    resendEvents(endpointId: $id, from: $from, before: $before)
  }
`);
const DeliveryPage = graphql(`
  query DeliveryPage($id: Int!, $state: DeliveryState) {
    webhookEndpoint(id: $id) {
      isActive
      deliveries(state: $state, first: 50) {
        edges { node { id state nextAttemptAt event { type at subjectId } tries { at status fault answer } } }
      }
    }
  }
`);

export type Endpoint = EndpointListQuery["webhookEndpoints"][number];
type EndpointDeliveries = NonNullable<DeliveryPageQuery["webhookEndpoint"]>["deliveries"];
export type Delivery = EndpointDeliveries["edges"][number]["node"];
export type Try = Delivery["tries"][number];

const all = async (signal?: AbortSignal): Promise<Endpoint[]> =>
  (await request(EndpointList, {}, signal)).webhookEndpoints;

export const webhooks = {
  fields: ["url", "description", "types", "includeLookup"],
  list: async ({ page, pageSize, signal }) => {
    const endpoints = await all(signal);
    const data = endpoints.slice((page - 1) * pageSize, page * pageSize);
    return { data, total: endpoints.length };
  },
  one: async (id: number) => (await all()).find((endpoint) => endpoint.id === id),
  change: (id, input, version) => request(UpdateEndpoint, { id, version, input }),
  remove: (id) => request(DeleteEndpoint, { id }),
} satisfies Source<Endpoint>;

/** Creates an endpoint, and returns its id and its secret, which nothing returns again. @throws Failure */
export async function createEndpoint(input: CreateWebhookEndpointInput) {
  const { secret, endpoint } = (await request(CreateEndpoint, { input })).createWebhookEndpoint;
  return { id: endpoint.id, secret };
}

/** Gives an endpoint another secret, and returns it. @throws Failure */
export const newSecret = async (id: number): Promise<string> =>
  (await request(NewSecret, { id })).rotateWebhookSecret;

export const sendAgain = (id: string): Promise<unknown> => request(SendAgain, { id });

/** Sends all events of a time again, and returns how many. @throws Failure */
export const sendAllAgain = async (
  id: number,
  { from = "", before = "" }: { from?: string | undefined; before?: string | undefined },
): Promise<number> => (await request(SendAllAgain, { id, from, before })).resendEvents;

/** What an endpoint gets and got, the newest 50 first, and whether it is on. @throws Failure */
export async function deliveriesOf(id: number, state?: DeliveryState, signal?: AbortSignal) {
  const { webhookEndpoint } = await request(DeliveryPage, { id, state }, signal);
  const { isActive = false, deliveries } = webhookEndpoint ?? {};
  return { isActive, deliveries: deliveries?.edges.map(({ node }) => node) ?? [] };
}

/** What came of a test or a try, in words. */
export type Outcome = Readonly<{ isGood: boolean; text: string }>;

export function outcomeOf({ status, fault, answer }: Try): Outcome {
  const said = t(status === null ? "webhooks.no_answer" : "webhooks.answered", { status });
  const isGood = status !== null && status < 300 && fault === null;
  return { isGood, text: [said, fault, answer].filter(Boolean).join(": ") };
}

const LOOK_EVERY = 1000;

/** Sends a test event, and waits for the first answer to it; where the endpoint is off, it says so. */
export async function test(id: number, signal: AbortSignal): Promise<Outcome> {
  try {
    const sent = (await request(SendTest, { id })).sendTestEvent.id;
    for (;;) {
      const { isActive, deliveries } = await deliveriesOf(id, undefined, signal);
      const last = deliveries.find((delivery) => delivery.id === sent)?.tries.at(-1);
      if (last) return outcomeOf(last);
      if (!isActive) return { isGood: false, text: t("webhooks.test_waits") };
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    }
  } catch (fault) {
    return { isGood: false, text: (fault as Error).message };
  }
}
