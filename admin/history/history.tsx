import { Button } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { sources } from "../api/data-provider";
import type { AuditSubject, LastEntriesQuery } from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { useAct } from "../parts/ask";
import { amount, time } from "../parts/format";
import { listOf, Section, SmallTable, To } from "../parts/page";
import { t } from "../texts";

const LastEntries = graphql(`
  query LastEntries($subject: AuditSubject!, $id: Int!) {
    auditLog(first: 50, filter: { subject: $subject, subjectId: $id }) {
      edges { node { id at actor door operation source changes { field before after } } }
    }
  }
`);

type Entry = LastEntriesQuery["auditLog"]["edges"][number]["node"];

/** The newest 50 entries of the audit log on a thing. @throws Failure */
async function entriesOf(subject: AuditSubject, id: number, signal?: AbortSignal) {
  const { auditLog } = await request(LastEntries, { subject, id }, signal);
  return auditLog.edges.map(({ node }) => node);
}

/** What a thing's values can be put back by: the audit log has all as text. */
const FIELDS: Readonly<Record<string, (text: string) => unknown>> = {
  ...{ name: String, slug: String, description: String, price: String, categoryId: Number },
  isActive: (text) => text === "true",
};
const KINDS: Record<string, string> = { PRODUCT: "products", CATEGORY: "categories" };

/** The fields of an entry that can be put back, with their values before it; undefined if there are none. */
function before(subject: AuditSubject, changes: Entry["changes"]) {
  if (!KINDS[subject]) return undefined;
  const fields = changes.flatMap(({ field, before: value, after }) => {
    const convert = FIELDS[field];
    return convert && value !== null && after !== null ? [[field, convert(value)]] : [];
  });
  return fields.length > 0 ? (Object.fromEntries(fields) as Record<string, unknown>) : undefined;
}

type Which = Readonly<{ subject: AuditSubject; id: number; version: number }>;

/** Puts values back by a new change of what is still at the version. @throws Failure */
async function putBack({ subject, id, version }: Which, fields?: Record<string, unknown>) {
  await sources[KINDS[subject] ?? ""]?.change?.(id, fields ?? {}, version);
}

/** Undoes the newest change of a thing, which has the version since. @throws Failure */
export async function undoLast(which: Which): Promise<void> {
  const [newest] = await entriesOf(which.subject, which.id);
  await putBack(which, before(which.subject, newest?.changes ?? []));
}

const headings = ["at", "actor", "changes"].map((field) => `resources.audit-log.fields.${field}`);

/** Who changed a thing, from what to what, newest first; changes that can be undone have a button for it. */
export function History({ subject, id, version }: Which) {
  const act = useAct();
  const { data: entries = [] } = useQuery({
    queryKey: ["history", subject, id, version],
    queryFn: ({ signal }) => entriesOf(subject, id, signal),
  });
  const row = ({ changes, operation, ...entry }: Entry) => {
    const fields = before(subject, changes);
    const undo = (): void => act(putBack({ subject, id, version }, fields), "history.undone");
    return [
      ...[time(entry.at), whoOf(entry)],
      changeLines(changes, subject) || operation,
      fields && (
        <Button key="undo" size="small" onClick={undo}>
          {t("history.undo")}
        </Button>
      ),
    ];
  };
  const title = t("history.title");
  return (
    <Section title={title}>
      <SmallTable
        {...{ label: title, headings: [...headings, "webhooks.action"] }}
        rows={entries.map(row)}
      />
      {entries.length === 50 && (
        <To to={listOf("audit-log", { subject, number: String(id) })}>{t("history.more")}</To>
      )}
    </Section>
  );
}

export const whoOf = ({ actor, door, source }: Pick<Entry, "actor" | "door" | "source">): string =>
  [actor ?? t("history.nobody"), t(`history.${door}`), source].filter(Boolean).join(", ");

type Change = Entry["changes"][number];

function changeText({ field, before: old, after }: Change, subject: AuditSubject): string {
  const [from, to] = [old, after].map((value) => {
    if (value === null || value === "") return "–";
    if (/price|amount/i.test(field)) return amount(value);
    if (field === "status") return t(`orders.status.${value}`, { _: value });
    if (/^(is|include)[A-Z]/.test(field)) return t(`ra.boolean.${value}`);
    return value.length > 120 ? `${value.slice(0, 120)}…` : value;
  });
  const key = field === "isActive" && subject !== "PRODUCT" ? "active" : field;
  return `${t(`field.${key}`, { _: field })}: ${from} → ${to}`;
}

export const changeLines = (changes: Entry["changes"], subject: AuditSubject): string =>
  changes.map((change) => changeText(change, subject)).join("\n");
