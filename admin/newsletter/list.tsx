import { BulkAction } from "../parts/bulk";
import { ListPage, type Column } from "../parts/list";
import { ExportButton } from "../parts/menus";
import { pageOf } from "../parts/page";
import { t } from "../texts";
import { unsubscribe, type Subscriber } from "./source";

const columns: readonly Column<Subscriber>[] = [
  { key: "email" },
  { key: "isActive", render: ({ isActive }) => t(`newsletter.${isActive ? "active" : "ended"}`) },
  { key: "createdAt", kind: "time" },
  { key: "consentedAt", kind: "time" },
];

const nameOf = ({ email }: Subscriber): string => email;

export const list = () => (
  <ListPage<Subscriber>
    {...{ columns, nameOf, linkTo: ({ email }) => pageOf("customers", email) }}
    actions={<ExportButton kind="subscribers" />}
    bulk={
      <BulkAction<Subscriber>
        {...{ nameOf, text: "newsletter.unsubscribe", isFinal: true, act: unsubscribe }}
        about={(subscribers) => `${subscribers.map(nameOf).join(", ")}.`}
      />
    }
  />
);
