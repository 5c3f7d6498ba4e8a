import type { Group } from "./prepared";
import { onRows, type RowOperation, type TypeName } from "./row-operation";

const AUDIT_LOG = `query AuditLog(
  $filter: AuditFilter
  $cursor: String
) {
  entries: auditLog(
    filter: $filter
    first: 50
    after: $cursor
  ) {
    totalCount
    pageInfo { hasNextPage endCursor }
    edges {
      node {
        when: at
        who: actor
        door
        operation
        subject
        subjectId
        changes { field before after }
      }
    }
  }
}`;

export const record: Group = {
  label: "Who changed what",
  operations: [{ label: "Audit log", query: AUDIT_LOG, variables: () => ({ filter: {} }) }],
};

/**
 * The operation that opens the part of the audit log about the object of a row.
 *
 * @param subject the log's name of the type
 */
export const history = (
  type: Exclude<TypeName, "NewsletterSubscriber" | "Delivery">,
  subject: string,
): RowOperation =>
  onRows(type, ["id"], {
    label: "History",
    query: AUDIT_LOG,
    variables: ({ id }) => ({ filter: { subject, subjectId: id } }),
    does: { kind: "opens", isForAdministrators: true },
  });
