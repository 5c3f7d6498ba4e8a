import type { Group } from "./prepared";
import { history } from "./record";
import { onRows, type RowOperation, type Values } from "./row-operation";
import { switches } from "./switches";

const EVENTS = `query Events(
  $filter: EventFilter
  $cursor: String
) {
  events(
    filter: $filter
    first: 50
    after: $cursor
  ) {
    totalCount
    pageInfo { hasNextPage endCursor }
    edges {
      node {
        id
        when: at
        type
        subject
        subjectId
        version
        data
      }
    }
  }
}`;

const DELIVERIES = `query Deliveries(
  $id: Int!
  $state: DeliveryState
  $cursor: String
) {
  webhookEndpoint(id: $id) {
    id
    url
    isActive
    disabledBecause
    deliveries(
      state: $state
      first: 50
      after: $cursor
    ) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges {
        node {
          id
          event { type subjectId version }
          state
          nextAttemptAt
          tries { at status fault answer }
        }
      }
    }
  }
}`;

/** All fields of an endpoint that a row can show. */
export const ENDPOINT = `{
    id url description types includeLookup isActive disabledBecause failingSince createdAt version
  }`;

const RESEND_EVENTS = `mutation SendEventsAgain(
  $endpointId: Int!
  $from: DateTime!
  $before: DateTime!
  $types: [String!]
) {
  sentAgain: resendEvents(
    endpointId: $endpointId
    from: $from
    before: $before
    types: $types
  )
}`;

const TEST_OUTCOME = `query TestOutcome($id: Int!) {
  webhookEndpoint(id: $id) {
    isActive
    deliveries(first: 50) {
      edges { node { id state tries { status fault } } }
    }
  }
}`;

interface TestedEndpoint {
  readonly isActive: boolean;
  readonly deliveries: { readonly edges: readonly { readonly node: TestDelivery }[] };
}

interface TestDelivery {
  readonly id: unknown;
  readonly state: "WAITING" | "DELIVERED" | "GIVEN_UP";
  readonly tries: readonly { readonly status: number | null; readonly fault: string | null }[];
}

function faultOfTest({ webhookEndpoint }: Values, { delivery }: Values): string | undefined {
  const endpoint = webhookEndpoint as TestedEndpoint | null;
  if (!endpoint) return "It is not there any more";
  const tested = endpoint.deliveries.edges.find(({ node }) => node.id === delivery)?.node;
  if (tested?.state === "DELIVERED") return "";
  const last = tested?.tries.at(-1);
  if (!last) return endpoint.isActive ? undefined : "The endpoint is off, so the event waits";
  const { status, fault } = last;
  const answered = status === null ? "No answer came" : `The receiver answered ${status}`;
  return [answered, fault].filter(Boolean).join(": ");
}

export const webhooks: Group = {
  label: "Events and webhooks",
  operations: [
    { label: "Events", query: EVENTS, variables: () => ({ filter: {} }) },
    {
      label: "Endpoints",
      query: `query Endpoints {
  webhookEndpoints ${ENDPOINT}
}`,
      variables: () => ({}),
    },
    {
      label: "New endpoint",
      query: `mutation NewEndpoint($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) {
    secret
    endpoint { id url }
  }
}`,
      variables: () => ({ input: {} }),
      created: ({ endpoint }) =>
        `Endpoint ${String((endpoint as Values)["id"])} is created. Copy its secret from the answer: it is shown only now`,
    },
    { label: "Send events again", query: RESEND_EVENTS, variables: () => ({}) },
  ],
};

const updated = (
  name: string,
  input: string,
  more = "",
) => `mutation ${name}($id: Int!, $expectedVersion: Int!${more}) {
  updateWebhookEndpoint(id: $id, expectedVersion: $expectedVersion, input: ${input}) ${ENDPOINT}
}`;

const switched = (name: string, isActive: boolean) => updated(name, `{ isActive: ${isActive} }`);

export const onWebhooks: readonly RowOperation[] = [
  onRows("WebhookEndpoint", ["id"], {
    label: "Deliveries",
    query: DELIVERIES,
    variables: ({ id }) => ({ id }),
    does: { kind: "opens", isForAdministrators: true },
  }),
  onRows("WebhookEndpoint", ["id"], {
    label: "Send a test event",
    // The id is that of the delivery, which is none of the endpoint's.
    query: `mutation SendTestEvent($id: Int!) {
  sendTestEvent(endpointId: $id) { delivery: id }
}`,
    variables: ({ id }) => ({ id }),
    does: {
      kind: "asks",
      question: (things) => `Send ${things} an event of the type test.ping?`,
      verb: "Send",
      several: (count) => `Test ${count}`,
      done: "taking events",
      followUp: { query: TEST_OUTCOME, faultIn: faultOfTest },
    },
  }),
  onRows("WebhookEndpoint", ["id"], {
    label: "Edit",
    query: updated("EditEndpoint", "$input", ", $input: UpdateWebhookEndpointInput!"),
    variables: ({ id }) => ({ id }),
    does: {
      kind: "takes input",
      title: ({ id }) => `Edit endpoint ${id}`,
      verb: "Save",
      hidden: ["id", "expectedVersion"],
      loads: {
        query: `query Endpoint($id: Int!) { webhookEndpoint(id: $id) ${ENDPOINT} }`,
        variables: ({ id, version, url, description, types, includeLookup, isActive }) => ({
          id,
          expectedVersion: version,
          input: { url, description, types, includeLookup, isActive },
        }),
      },
      onlyChanges: "input",
      done: ({ id }) => `Endpoint ${String(id)} is saved`,
    },
  }),
  ...switches("WebhookEndpoint", switched, {
    off: "so that its events wait",
    on: "so that it gets what waits",
  }),
  onRows("WebhookEndpoint", ["id"], {
    label: "Send events again",
    query: RESEND_EVENTS,
    variables: ({ id }) => ({ endpointId: id }),
    does: { kind: "opens", isForAdministrators: true },
  }),
  onRows("WebhookEndpoint", ["id"], {
    label: "New secret",
    query: `mutation NewSecret($id: Int!) {
  secret: rotateWebhookSecret(id: $id)
}`,
    variables: ({ id }) => ({ id }),
    does: { kind: "opens", isForAdministrators: true },
  }),
  history("WebhookEndpoint", "WEBHOOK_ENDPOINT"),
  onRows("WebhookEndpoint", ["id"], {
    label: "Delete",
    query: `mutation DeleteWebhookEndpoint($id: Int!) {
  deleteWebhookEndpoint(id: $id) { id }
}`,
    variables: ({ id }) => ({ id }),
    does: {
      kind: "asks",
      question: (things) => `Delete ${things} with its deliveries?`,
      several: (count) => `Delete ${count}`,
      done: "deleted",
      isFinal: true,
      deletes: true,
    },
  }),
  onRows("Delivery", ["id"], {
    label: "Send again",
    query: `mutation SendAgain($id: ID!) {
  resendDelivery(id: $id) {
    id event { type subjectId version } state nextAttemptAt tries { at status fault answer }
  }
}`,
    variables: ({ id }) => ({ id }),
    does: {
      kind: "asks",
      question: (things) => `Send ${things} again?`,
      several: (count) => `Send ${count} again`,
      done: "waiting to be sent again",
    },
  }),
];
