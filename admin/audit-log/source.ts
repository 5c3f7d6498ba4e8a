import type { ListQuery, Source } from "../api/data-provider";
import type { AuditFilter, AuditPageQuery, AuditSubject } from "../api/generated/graphql";
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

export type AuditEntry = AuditPageQuery["auditLog"]["edges"][number]["node"];

/** What the address of the page says; `number` is the id of a thing, as it is typed. */
type AuditConditions = { readonly subject?: AuditSubject } & Readonly<
  Partial<Record<"number" | "actor" | "operation" | "from" | "to", string>>
>;

/** The cursor behind each page of each list that was read, by what was asked for. */
const ends = new Map<string, string[]>();

/** Reads a page of the log, which is sent by cursor; an unknown cursor is found by reading on to it. */
async function list({ page, pageSize, filter: conditions, signal }: ListQuery) {
  const { subject, number, actor, operation, ...days } = conditions as AuditConditions;
  const subjectId = number === undefined ? undefined : Number(number);
  const filter: AuditFilter = { subject, subjectId, actor, operation, ...timesOf(days) };
  const key = JSON.stringify([pageSize, filter]);
  const known = (ends.get(key) ?? []).slice(0, page - 1);
  for (;;) {
    const variables = { first: pageSize, after: known.at(-1) ?? null, filter };
    const { edges, pageInfo, totalCount } = (await request(AuditPage, variables, signal)).auditLog;
    const isIt = known.length === page - 1;
    if (isIt || typeof pageInfo.endCursor !== "string")
      return { data: isIt ? edges.map(({ node }) => node) : [], total: totalCount };
    known.push(pageInfo.endCursor);
    ends.set(key, known);
  }
}

export const auditLog: Source<AuditEntry> = { list };
