import { dataOf } from "../graphql/client";
import { post } from "../idempotency/place";
import type { TestApp } from "../support/app";

/** An event, as GraphQL shows it. */
export interface ToldEvent {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly subject: string | null;
  readonly subjectId: number | null;
  readonly version: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The newest events that meet the filter, 50 at most, oldest first. */
export async function eventsOf(app: TestApp, filter: object = {}): Promise<ToldEvent[]> {
  const { events } = await dataOf<{ events: { edges: { node: ToldEvent }[] } }>(
    app,
    `query ($filter: EventFilter) {
      events(first: 50, filter: $filter) {
        edges { node { id type at subject subjectId version data } }
      }
    }`,
    { filter },
  );
  return events.edges.map(({ node }) => node).reverse();
}

/** The events that `work` causes, oldest first, and its result. */
export async function toldBy<T>(
  app: TestApp,
  work: () => Promise<T>,
): Promise<{ readonly told: ToldEvent[]; readonly result: T }> {
  const [last] = await app.sql<{ id: number }>("SELECT coalesce(max(id), 0) AS id FROM events");
  const result = await work();
  const told = (await eventsOf(app)).filter(({ id }) => Number(id.split("_")[1]) > last!.id);
  return { told, result };
}

/** What an event says, without its data: `order.placed ORDER 7 1`. */
export const brief = ({ type, subject, subjectId, version }: ToldEvent): string =>
  `${type} ${subject} ${subjectId} ${version}`;

/** The id of what a mutation answers with. */
export const idOf = async (app: TestApp, field: string): Promise<number> =>
  (await dataOf<{ it: { id: number } }>(app, `mutation { it: ${field} { id } }`)).it.id;

/** The id of an order of one item, placed at REST. */
export async function placedOrder(
  app: TestApp,
  customerEmail = "ada@example.com",
): Promise<number> {
  const { id: productId } = await app.make.product({ name: "Sencha", price: "4.20" });
  const { body } = await post(app, { customerEmail, items: [{ productId, quantity: 2 }] });
  return (body as { id: number }).id;
}
