import type { AuditSubject } from "../api/generated/graphql";
import { changeLines, whoOf } from "../history/history";
import { ChoiceCondition, DaysCondition, TextCondition } from "../parts/filters";
import { ListPage, type Column } from "../parts/list";
import { pageOf, To } from "../parts/page";
import { eventName, fieldName, kindName } from "../texts";
import type { AuditEntry, EventEntry } from "./source";

/** The kinds of things by name, and those that have pages. */
const KINDS: Readonly<Record<AuditSubject, string>> = {
  ...{ ORDER: "orders", PRODUCT: "products", CATEGORY: "categories", WEBHOOK_ENDPOINT: "webhooks" },
  ...{ NEWSLETTER_SUBSCRIBER: "newsletter", CUSTOMER: "customers" },
  ADMINISTRATOR: "administrators",
};
const choices = Object.entries(KINDS).map(([value, kind]) => ({ value, name: kindName(kind, 1) }));
const WITH_PAGES = ["orders", "products", "categories", "webhooks"];

const columns: readonly Column<AuditEntry>[] = [
  { key: "at", kind: "time" },
  { key: "actor", render: whoOf },
  { key: "operation" },
  { key: "thing", render: thingOf },
  { key: "changes", render: ({ changes, subject }) => changeLines(changes, subject) },
];

type Thing = Readonly<{ subject: AuditSubject | null; subjectId: number | null }>;

/** What was changed, with a link to its page if it has one. */
function thingOf({ subject, subjectId }: Thing) {
  if (subject === null) return "";
  const kind = KINDS[subject];
  const text = [kindName(kind, 1), subjectId].filter(Boolean).join(" ");
  if (subjectId === null || !WITH_PAGES.includes(kind)) return text;
  return <To to={pageOf(kind, subjectId)}>{text}</To>;
}

const name = (field: string): string => fieldName("audit-log", field);
const kinds = (
  <ChoiceCondition {...{ name: "subject", label: name("subject"), choices, isSingle: true }} />
);
const newest = { sort: { field: "at", order: "DESC" }, linkTo: () => undefined } as const;

export const list = () => (
  <ListPage<AuditEntry>
    {...{ ...newest, columns }}
    filters={
      <>
        {kinds}
        <TextCondition name="number" kind="number" label={name("number")} />
        <TextCondition name="actor" label={name("actor")} />
        <TextCondition name="operation" label={name("operation")} />
        <DaysCondition />
      </>
    }
  />
);

const eventColumns: readonly Column<EventEntry>[] = [
  { key: "type", render: ({ type }) => eventName(type) },
  { key: "at", kind: "time" },
  { key: "thing", render: thingOf },
];

export const events = () => (
  <ListPage<EventEntry>
    {...{ ...newest, columns: eventColumns }}
    filters={
      <>
        {kinds}
        <DaysCondition />
      </>
    }
  />
);
