import { Link as MuiLink, MenuItem, TextField } from "@mui/material";
import { useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import type { AuditSubject } from "../api/generated/graphql";
import { useChangeText } from "../history/history";
import { FilterBar, TextCondition, useConditions } from "../parts/filters";
import { time } from "../parts/format";
import { ListPage } from "../parts/list-page";
import type { Column } from "../parts/table";
import { isDay } from "../orders/source";
import type { AuditConditions, AuditEntry } from "./source";

/** Where the page of a thing is; what has none is not in it. */
const PAGES: Partial<Record<AuditSubject, (id: number) => string>> = {
  ORDER: (id) => `/orders/${id}/show`,
  PRODUCT: (id) => `/products/${id}`,
  CATEGORY: (id) => `/categories/${id}`,
  WEBHOOK_ENDPOINT: (id) => `/webhooks/${id}`,
};

const SUBJECTS: readonly AuditSubject[] = [
  ...(["ORDER", "PRODUCT", "CATEGORY", "NEWSLETTER_SUBSCRIBER"] as const),
  ...(["CUSTOMER", "WEBHOOK_ENDPOINT", "ADMINISTRATOR"] as const),
];

export default function AuditList() {
  const translate = useTranslate();
  const name = (field: string): string => translate(`resources.audit-log.fields.${field}`);
  const columns: Column<AuditEntry>[] = [
    { key: "at", label: name("at"), render: ({ at }) => time(at) },
    {
      key: "actor",
      label: name("actor"),
      render: ({ actor, door, source }) =>
        [actor ?? translate("shop.history.nobody"), translate(`shop.door.${door}`), source]
          .filter(Boolean)
          .join(", "),
    },
    { key: "operation", label: name("operation"), render: ({ operation }) => operation },
    { key: "thing", label: name("thing"), render: (entry) => <Thing entry={entry} /> },
    { key: "changes", label: name("changes"), render: (entry) => <Changes entry={entry} /> },
  ];
  return (
    <ListPage<AuditEntry>
      title="resources.audit-log.name"
      resource="audit-log"
      columns={columns}
      sort={{ field: "at", order: "DESC" }}
      nameOf={({ operation }) => operation}
      filters={<AuditFilters />}
    />
  );
}

function Thing({ entry: { subject, subjectId } }: { readonly entry: AuditEntry }) {
  const translate = useTranslate();
  const text = [translate(`shop.subject.${subject}`), subjectId].filter(Boolean).join(" ");
  const page = subjectId === null ? undefined : PAGES[subject]?.(subjectId);
  return page === undefined ? (
    text
  ) : (
    <MuiLink component={Link} to={page}>
      {text}
    </MuiLink>
  );
}

/** Each field with its values before and after, all as text. */
function Changes({ entry: { changes, subject } }: { readonly entry: AuditEntry }) {
  const textOf = useChangeText();
  return changes.map((change) => <div key={change.field}>{textOf(change, subject)}</div>);
}

function AuditFilters() {
  const translate = useTranslate();
  const { conditions, set } = useConditions<AuditConditions>();
  const { subject, thing, actor, operation, from, to } = conditions;
  const name = (field: string): string => translate(`resources.audit-log.fields.${field}`);
  const noDate = (text: string) => (isDay(text) ? undefined : "shop.list.no_date");
  const noNumber = (text: string) =>
    /^[1-9][0-9]{0,8}$/.test(text) ? undefined : "shop.list.no_number";
  const day = { type: "date", width: 160, faultOf: noDate } as const;
  return (
    <FilterBar>
      <TextField
        select
        label={name("subject")}
        value={subject ?? ""}
        onChange={({ target }) => set({ subject: target.value || undefined })}
        sx={{ width: 190 }}
      >
        <MenuItem value="">{translate("shop.subject.all")}</MenuItem>
        {SUBJECTS.map((each) => (
          <MenuItem key={each} value={each}>
            {translate(`shop.subject.${each}`)}
          </MenuItem>
        ))}
      </TextField>
      <TextCondition
        label={name("number")}
        value={thing}
        width={110}
        faultOf={noNumber}
        onChange={(next) => set({ thing: next })}
      />
      <TextCondition
        label={name("actor")}
        value={actor}
        onChange={(next) => set({ actor: next })}
      />
      <TextCondition
        label={name("operation")}
        value={operation}
        onChange={(next) => set({ operation: next })}
      />
      <TextCondition
        {...day}
        label={translate("shop.period.from")}
        value={from}
        onChange={(next) => set({ from: next })}
      />
      <TextCondition
        {...day}
        label={translate("shop.period.to")}
        value={to}
        onChange={(next) => set({ to: next })}
      />
    </FilterBar>
  );
}
