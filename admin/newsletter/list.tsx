import { useTranslate } from "react-admin";
import { BulkAction } from "../parts/bulk";
import { ExportButton } from "../parts/export-button";
import { count, time } from "../parts/format";
import { ListPage } from "../parts/list-page";
import type { Column } from "../parts/table";
import { unsubscribe, type Subscriber } from "./source";

export default function SubscriberList() {
  const translate = useTranslate();
  const name = (field: string): string => translate(`resources.newsletter.fields.${field}`);
  const columns: Column<Subscriber>[] = [
    { key: "email", label: name("email"), render: ({ email }) => email },
    {
      key: "isActive",
      label: name("isActive"),
      render: ({ isActive }) =>
        translate(isActive ? "shop.newsletter.active" : "shop.newsletter.ended"),
    },
    { key: "since", label: name("createdAt"), render: ({ createdAt }) => time(createdAt) },
  ];
  return (
    <ListPage<Subscriber>
      title="resources.newsletter.name"
      resource="newsletter"
      columns={columns}
      nameOf={({ email }) => email}
      linkTo={({ email }) => `/customers/${encodeURIComponent(email)}/show`}
      actions={<ExportButton kind="subscribers" />}
      bulk={
        <BulkAction<Subscriber>
          isFinal
          label={translate("shop.newsletter.unsubscribe")}
          nameOf={({ email }) => email}
          question={(subscribers) => ({
            title: translate("shop.newsletter.unsubscribe_title", {
              smart_count: subscribers.length,
              count: count(subscribers.length),
            }),
            text: subscribers.map(({ email }) => email).join(", "),
          })}
          done={(number) => translate("shop.newsletter.unsubscribed", { smart_count: number })}
          act={unsubscribe}
        />
      }
    />
  );
}
