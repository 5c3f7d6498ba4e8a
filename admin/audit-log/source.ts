import type { ListQuery, Source } from "../api/data-provider";
import type { AuditFilter, AuditPageQuery, AuditSubject } from "../api/generated/graphql";
import type { EventPageQuery } from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { timesOf } from "../parts/format";

const AuditPage = graphql(`
  query AuditPage($first: Int!, $after: String, $filter: AuditFilter) {
    auditLog(first: $first, after: $after, filter: $filter) {
      edges { node { id at actor door operation subject subjectId source changes { field before after } } }
      pageInfo { endCursor } totalCount
    }
  }
`);
const EventPage = graphql(`
  query EventPage($first: Int!, $after: String, $filter: EventFilter) {
    events(first: $first, after: $after, filter: $filter) {
      edges { node { id type at subject subjectId } } pageInfo { endCursor } totalCount
    }
  }
`);

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly endCursor?: string | null };
  readonly totalCount: number;
}

/** The cursor behind each page of each list that was read, by what was asked for. */
const ends = new Map<string, string[]>();

/** Reads a page of a list that is sent by cursor; an unknown cursor is found by reading on to it. */
async function byCursor<Node>(
  name: string,
  { page, pageSize, filter }: ListQuery,
  read: (part: { first: number; after: string | null }) => Promise<Connection<Node>>,
) {
  const key = JSON.stringify([name, pageSize, filter]);
  const known = (ends.get(key) ?? []).slice(0, page - 1);
  for (;;) {
    const part = { first: pageSize, after: known.at(-1) ?? null };
    const { edges, pageInfo, totalCount } = await read(part);
    const isIt = known.length === page - 1;
    if (isIt || typeof pageInfo.endCursor !== "string")
      return { data: isIt ? edges.map(({ node }) => node) : [], total: totalCount };
    known.push(pageInfo.endCursor);
    ends.set(key, known);
  }
}

export type AuditEntry = AuditPageQuery["auditLog"]["edges"][number]["node"];

/** What the address of the page says; `number` is the id of a thing, as it is typed. */
type AuditConditions = { readonly subject?: AuditSubject } & Readonly<
  Partial<Record<"number" | "actor" | "operation" | "from" | "to", string>>
>;

export const auditLog: Source<AuditEntry> = {
  list: (query) => {
    const { subject, number, actor, operation, ...days } = query.filter as AuditConditions;
    const subjectId = number === undefined ? undefined : Number(number);
    const filter: AuditFilter = { subject, subjectId, actor, operation, ...timesOf(days) };
    return byCursor("audit-log", query, async (part) => {
      return (await request(AuditPage, { ...part, filter }, query.signal)).auditLog;
    });
  },
};

export type EventEntry = EventPageQuery["events"]["edges"][number]["node"];

/** What happened in the shop, whether an endpoint was sent it or not. */
export const events: Source<EventEntry> = {
  list: (query) =>
    byCursor("events", query, async (part) => {
      const { subject, ...days } = query.filter as AuditConditions;
      const filter = { subject, ...timesOf(days) };
      return (await request(EventPage, { ...part, filter }, query.signal)).events;
    }),
};
