import type {
  CreateWebhookEndpointInput,
  DeliveryPageQuery,
  DeliveryState,
  EndpointListQuery,
  UpdateWebhookEndpointInput,
} from "../api/generated/graphql";
import type { Source } from "../api/data-provider";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { changesOf } from "../parts/changes";

const EndpointList = graphql(`
  query EndpointList {
    webhookEndpoints {
      id url description types includeLookup isActive disabledBecause failingSince createdAt
      version
    }
  }
`);

const CreateEndpoint = graphql(`
  mutation CreateEndpoint($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) {
      secret
      endpoint { id }
    }
  }
`);

const UpdateEndpoint = graphql(`
  mutation UpdateEndpoint($id: Int!, $version: Int!, $input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(id: $id, expectedVersion: $version, input: $input) { id }
  }
`);

const DeleteEndpoint = graphql(`
  mutation DeleteEndpoint($id: Int!) {
    deleteWebhookEndpoint(id: $id) { id }
  }
`);

const NewSecret = graphql(`
  mutation NewSecret($id: Int!) {
    rotateWebhookSecret(id: $id)
  }
`);

const SendTest = graphql(`
  mutation SendTest($id: Int!) {
    sendTestEvent(endpointId: $id) { id }
  }
`);

const SendAgain = graphql(`
  mutation SendAgain($id: ID!) {
    resendDelivery(id: $id) { id }
  }
`);

const SendAllAgain = graphql(`
  mutation SendAllAgain($id: Int!, $from: DateTime!, $before: DateTime!) {
    resendEvents(endpointId: $id, from: $from, before: $before)
  }
`);

const DeliveryPage = graphql(`
  query DeliveryPage($id: Int!, $state: DeliveryState, $first: Int!, $after: String) {
    webhookEndpoint(id: $id) {
      isActive
      deliveries(state: $state, first: $first, after: $after) {
        edges {
          node {
            id state nextAttemptAt
            event { type at subject subjectId version }
            tries { at status fault answer }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export type Endpoint = EndpointListQuery["webhookEndpoints"][number];
type Deliveries = NonNullable<DeliveryPageQuery["webhookEndpoint"]>;
export type Delivery = Deliveries["deliveries"]["edges"][number]["node"];
export type Try = Delivery["tries"][number];

/** What of an endpoint can be edited. */
export const FIELDS = ["url", "description", "types", "includeLookup"] as const;

/** The types of events that an endpoint can choose. */
export const EVENT_TYPES = [
  ...["order.placed", "order.status_changed", "order.updated", "order.deleted"],
  ...["product.created", "product.updated", "product.deleted"],
  ...["category.created", "category.updated", "category.deleted"],
  ...["subscription.requested", "subscription.confirmed"],
  ...["subscription.updated", "subscription.ended", "customer.erased"],
] as const;

/** The key of the words for a type of event. */
export const eventKey = (type: string): string => `shop.event.${type.replace(".", "_")}`;

const all = async (signal?: AbortSignal): Promise<Endpoint[]> =>
  (await request(EndpointList, {}, signal)).webhookEndpoints;

export const webhooks: Source<Endpoint> = {
  list: async ({ page, pageSize, signal }) => {
    const endpoints = await all(signal);
    return {
      data: endpoints.slice((page - 1) * pageSize, page * pageSize),
      total: endpoints.length,
    };
  },
  one: async (id) => (await all()).find((endpoint) => endpoint.id === Number(id)) ?? null,
  update: async (id, changes, previous) => {
    const input = changesOf(changes, previous, FIELDS);
    if (Object.keys(input).length > 0) await change(previous, input);
    return (await webhooks.one?.(id)) as Endpoint;
  },
};

/** Creates an endpoint, and returns its id and its secret, which nothing returns again. @throws Failure */
export async function createEndpoint(
  input: CreateWebhookEndpointInput,
): Promise<{ readonly id: number; readonly secret: string }> {
  const { secret, endpoint } = (await request(CreateEndpoint, { input })).createWebhookEndpoint;
  return { id: endpoint.id, secret };
}

/** Changes an endpoint that is still as it was shown. @throws Failure */
export const change = (
  { id, version }: Endpoint,
  input: UpdateWebhookEndpointInput,
): Promise<unknown> => request(UpdateEndpoint, { id, version, input });

export const deleteEndpoint = (id: number): Promise<unknown> => request(DeleteEndpoint, { id });

/** Gives an endpoint another secret, and returns it. @throws Failure */
export const newSecret = async (id: number): Promise<string> =>
  (await request(NewSecret, { id })).rotateWebhookSecret;

export const sendAgain = (id: string): Promise<unknown> => request(SendAgain, { id });

/** Sends all events of a time again, and returns how many. @throws Failure */
export const sendAllAgain = async (id: number, from: Date, before: Date): Promise<number> =>
  (await request(SendAllAgain, { id, from: from.toISOString(), before: before.toISOString() }))
    .resendEvents;

/** What an endpoint gets and got, newest first, behind a cursor. @throws Failure */
export async function deliveriesOf(
  id: number,
  state?: DeliveryState,
  after?: string | null,
  signal?: AbortSignal,
): Promise<Deliveries | null> {
  const variables = { id, first: 20, state: state ?? null, after: after ?? null };
  return (await request(DeliveryPage, variables, signal)).webhookEndpoint ?? null;
}

/** Milliseconds between two looks for the outcome of a test. */
const LOOK_EVERY = 1000;

/**
 * Sends a test event, and waits for the first answer to it.
 *
 * @returns what came of it; undefined if the endpoint is off, so that the event waits
 * @throws Failure
 */
export async function test(id: number, signal: AbortSignal): Promise<Try | undefined> {
  const sent = (await request(SendTest, { id })).sendTestEvent.id;
  for (;;) {
    const endpoint = await deliveriesOf(id, undefined, null, signal);
    const delivery = endpoint?.deliveries.edges.find(({ node }) => node.id === sent)?.node;
    const outcome = delivery?.tries.at(-1);
    if (outcome || !endpoint?.isActive) return outcome;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    signal.throwIfAborted();
  }
}
