import type { AuditSubject, LastEntriesQuery } from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { changeCategory } from "../categories/source";
import { changeProduct } from "../products/source";

const LastEntries = graphql(`
  query LastEntries($subject: AuditSubject!, $id: Int!, $after: String) {
    auditLog(first: 10, after: $after, filter: { subject: $subject, subjectId: $id }) {
      edges { node { id at actor door operation source changes { field before after } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** The newest entries of the audit log on a thing, and those behind a cursor. */
export const entriesOf = async (
  subject: AuditSubject,
  id: number,
  after?: string | null,
  signal?: AbortSignal,
) => (await request(LastEntries, { subject, id, after: after ?? null }, signal)).auditLog;

const FIELDS: Readonly<Record<string, (text: string) => unknown>> = {
  name: String,
  slug: String,
  description: String,
  price: String,
  categoryId: Number,
  isActive: (text) => text === "true",
};

type Changes = LastEntriesQuery["auditLog"]["edges"][number]["node"]["changes"];

/** The fields of an entry that can be put back, with their values before it; undefined if there are none. */
export function before(changes: Changes): Record<string, unknown> | undefined {
  const fields = changes.flatMap(({ field, before: value, after }) => {
    const convert = FIELDS[field];
    return convert && value !== null && after !== null ? [[field, convert(value)]] : [];
  });
  return fields.length > 0 ? (Object.fromEntries(fields) as Record<string, unknown>) : undefined;
}

/** Puts values back by a new change of what is still at the version. @throws Failure */
export async function putBack(
  subject: AuditSubject,
  id: number,
  version: number,
  fields: Record<string, unknown>,
): Promise<void> {
  await (subject === "PRODUCT" ? changeProduct : changeCategory)(id, fields, version);
}

/** Undoes the newest change of a thing, which has the version since. @throws Failure */
export async function undoLast(subject: AuditSubject, id: number, version: number): Promise<void> {
  const { edges } = await entriesOf(subject, id);
  const fields = before(edges[0]?.node.changes ?? []);
  if (fields) await putBack(subject, id, version, fields);
}
