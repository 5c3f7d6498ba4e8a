import type { InferAttributes } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import type { ReadPool } from "../../reads/read-pool";
import { runSql } from "../../database/statements/sql";
import {
  keysetOrder,
  readKeysetPage,
  timeOf,
  type KeysetPage,
  type KeysetRequest,
} from "../../lists/keyset";
import { costOfTotal, type ListOptions, type Lists } from "../../lists/lists";
import { Event } from "../../models";
import { withoutTokens } from "../newsletter/subscription-tokens";
import { eventTypesOf } from "./event-types";
import type { EventFilter } from "./inputs";

type StoredEvent = InferAttributes<Event>;

/** A change that others are told of, with its subject as it was after the change. */
export interface EventRecord extends StoredEvent {
  readonly data: Readonly<Record<string, unknown>>;
}

/** Which events a list shows; a filter of `null` counts as left out. */
export interface EventQuery extends ListOptions {
  readonly filter?: EventFilter | null | undefined;
}

const newest = keysetOrder<StoredEvent>({
  prefix: "",
  key: timeOf(sql`at`, ({ at }) => at),
  direction: "DESC",
});

/**
 * An event's name for others, such as `evt_17_1764000000000`. Once a database has been restored from an older dump, it
 * counts the same ids again, but at other times.
 */
export const publicId = ({ id, at }: Pick<StoredEvent, "id" | "at">): string =>
  `evt_${id}_${at.getTime()}`;

/** What happened in the shop. Triggers write an event in the transaction of each change (migration 007). */
export class Events {
  private readonly events = this.sequelize.getRepository(Event);

  constructor(
    private readonly sequelize: Sequelize,
    private readonly reads: ReadPool,
    private readonly lists: Lists,
  ) {}

  /**
   * Part of all events by keyset, newest first. An index serves each filter, so the number of events does not matter.
   *
   * @throws DomainError INVALID_INPUT if the cursor is not one of this list
   */
  async keysetPage(
    request: KeysetRequest,
    query: EventQuery = {},
  ): Promise<KeysetPage<EventRecord>> {
    const { filter, counted = true, signal } = query;
    const where = conditionsOf(filter);
    const list = { database: this.reads.current, model: this.events, where, counted, signal };
    const cost = costOfTotal(query.counted);
    const page = await readKeysetPage<StoredEvent>(this.lists, newest, request, list, cost);
    const complete = await this.dataOf(page.edges.map(({ node }) => node));
    const edges = page.edges.map(({ cursor, node }) => ({ cursor, node: complete(node) }));
    return { ...page, edges };
  }

  /** The events with these ids; unknown ids are left out. */
  async byIds(ids: readonly number[]): Promise<EventRecord[]> {
    const found = this.reads.current.getRepository(Event);
    const events = await found.findAll({ where: { id: [...ids] }, raw: true });
    return events.map(await this.dataOf(events));
  }

  /** Reads the data of those events that are stored without; returns what completes each of them. */
  private async dataOf(
    events: readonly StoredEvent[],
  ): Promise<(event: StoredEvent) => EventRecord> {
    const ids = events.filter(({ data }) => data === null).map(({ id }) => id);
    const rows =
      ids.length === 0
        ? []
        : await runSql<Pick<EventRecord, "id" | "data">>(
            this.reads.current,
            sql`SELECT id, event_data(events) AS data FROM events WHERE id = ANY(${ids})`,
          );
    const dataById = new Map(rows.map(({ id, data }) => [id, data]));
    return (event) => {
      const data = event.data ?? dataById.get(event.id) ?? {};
      return { ...event, data: withoutTokens({ type: event.type, data }) };
    };
  }
}

function conditionsOf(filter: EventQuery["filter"]): Sql[] {
  const { types, subject, subjectId, from, before } = filter ?? {};
  // There are only few types to each subject, so the index of the types serves both.
  const ofSubject = subject === undefined ? undefined : eventTypesOf(subject);
  const chosen = types?.length === 0 ? undefined : types;
  const wanted = ofSubject
    ? (chosen?.filter((type) => ofSubject.includes(type)) ?? ofSubject)
    : chosen;
  return [
    wanted !== undefined && sql`type = ANY(${wanted})`,
    wanted !== undefined && !wanted.includes("order.placed") && sql`data IS NOT NULL`,
    subjectId !== undefined && sql`subject_id = ${subjectId}`,
    from !== undefined && sql`at >= ${from}`,
    before !== undefined && sql`at < ${before}`,
  ].filter((condition) => condition !== false);
}
