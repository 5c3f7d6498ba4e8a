import { MenuItem, TextField } from "@mui/material";
import type { AuditSubject } from "../api/generated/graphql";
import { changeLines, whoOf } from "../history/history";
import { DaysCondition, TextCondition, useCondition } from "../parts/filters";
import { ListPage, type Column } from "../parts/list";
import { pageOf, To } from "../parts/page";
import { fieldName, kindName } from "../texts";
import type { AuditEntry } from "./source";

/** The kinds of things by name, and those that have pages. */
const KINDS: Readonly<Record<AuditSubject, string>> = {
  ...{ ORDER: "orders", PRODUCT: "products", CATEGORY: "categories", WEBHOOK_ENDPOINT: "webhooks" },
  ...{ NEWSLETTER_SUBSCRIBER: "newsletter", CUSTOMER: "customers" },
  ADMINISTRATOR: "administrators",
};
const WITH_PAGES = ["orders", "products", "categories", "webhooks"];

const columns: readonly Column<AuditEntry>[] = [
  { key: "at", kind: "time" },
  { key: "actor", render: whoOf },
  { key: "operation" },
  { key: "thing", render: thingOf },
  { key: "changes", render: ({ changes, subject }) => changeLines(changes, subject) },
];

function thingOf({ subject, subjectId }: AuditEntry) {
  const kind = KINDS[subject];
  const text = [kindName(kind, 1), subjectId].filter(Boolean).join(" ");
  if (subjectId === null || !WITH_PAGES.includes(kind)) return text;
  return <To to={pageOf(kind, subjectId)}>{text}</To>;
}

export const list = () => (
  <ListPage<AuditEntry>
    {...{ columns, sort: { field: "at", order: "DESC" }, linkTo: () => undefined }}
    filters={<Filters />}
  />
);

function Filters() {
  const [subject = "", setSubject] = useCondition<AuditSubject>("subject");
  const name = (field: string): string => fieldName("audit-log", field);
  return (
    <>
      <TextField
        {...{ select: true, label: name("subject"), value: subject, sx: { width: 190 } }}
        onChange={({ target }) => setSubject(target.value)}
      >
        <MenuItem value="">–</MenuItem>
        {Object.entries(KINDS).map(([value, kind]) => (
          <MenuItem key={value} value={value}>
            {kindName(kind, 1)}
          </MenuItem>
        ))}
      </TextField>
      <TextCondition name="number" kind="number" label={name("number")} />
      <TextCondition name="actor" label={name("actor")} />
      <TextCondition name="operation" label={name("operation")} />
      <DaysCondition />
    </>
  );
}
