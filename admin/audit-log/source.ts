import type { AuditFilter, AuditPageQuery, AuditSubject } from "../api/generated/graphql";
import { pageByCursor } from "../api/connection";
import type { Source } from "../api/data-provider";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { startOf } from "../parts/format";
import { isDay } from "../orders/source";

const AuditPage = graphql(`
  query AuditPage($first: Int!, $after: String, $filter: AuditFilter) {
    auditLog(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          id at actor door operation subject subjectId source
          changes { field before after }
        }
      }
      pageInfo { endCursor }
      totalCount
    }
  }
`);

export type AuditEntry = AuditPageQuery["auditLog"]["edges"][number]["node"];

/** What the address of the page says. Days are those of the browser's time zone. */
export interface AuditConditions {
  readonly subject?: AuditSubject;
  /** The id of the thing, as it is typed. */
  readonly thing?: string;
  readonly actor?: string;
  readonly operation?: string;
  readonly from?: string;
  readonly to?: string;
}

/**
 * The conditions as the service takes them.
 *
 * @throws Error if the address has a day that is none: it is not ignored
 */
function auditFilter({ from, to, thing, ...same }: AuditConditions): AuditFilter {
  if ([from, to].some((day) => day !== undefined && !isDay(day)))
    throw new Error("shop.list.no_date");
  return {
    ...same,
    ...(thing !== undefined && { subjectId: Number(thing) }),
    ...(from !== undefined && { from: startOf(from).toISOString() }),
    ...(to !== undefined && { before: startOf(to, 1).toISOString() }),
  };
}

export const auditLog: Source<AuditEntry> = {
  list: (query) => {
    const { columns: _, ...conditions } = query.filter;
    const filter = auditFilter(conditions);
    return pageByCursor("audit-log", query, async (part) => {
      const { auditLog: found } = await request(AuditPage, { ...part, filter }, query.signal);
      return found;
    });
  },
};
