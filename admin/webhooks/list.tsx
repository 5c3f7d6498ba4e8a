import { Button } from "@mui/material";
import { useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import { time } from "../parts/format";
import { ListPage } from "../parts/list-page";
import type { Column } from "../parts/table";
import { eventKey, type Endpoint } from "./source";

export default function EndpointList() {
  const translate = useTranslate();
  const name = (field: string): string => translate(`resources.webhooks.fields.${field}`);
  const columns: Column<Endpoint>[] = [
    { key: "url", label: name("url"), render: ({ url }) => url },
    { key: "description", label: name("description"), render: ({ description }) => description },
    {
      key: "types",
      label: name("types"),
      render: ({ types }) =>
        types.length === 0
          ? translate("shop.webhooks.all_types")
          : types.map((type) => translate(eventKey(type), { _: type })).join(", "),
    },
    { key: "state", label: name("state"), render: (endpoint) => <State endpoint={endpoint} /> },
  ];
  return (
    <ListPage<Endpoint>
      title="resources.webhooks.name"
      resource="webhooks"
      columns={columns}
      nameOf={({ url }) => url}
      linkTo={({ id }) => `/webhooks/${id}`}
      actions={
        <Button component={Link} to="/webhooks/create" variant="contained">
          {translate("shop.webhooks.create")}
        </Button>
      }
    />
  );
}

/** Whether events reach an endpoint, and if not, why. */
export function State({ endpoint }: { readonly endpoint: Endpoint }) {
  const translate = useTranslate();
  const { isActive, disabledBecause, failingSince } = endpoint;
  if (!isActive) {
    return disabledBecause === null
      ? translate("shop.webhooks.off")
      : translate("shop.webhooks.off_because", { reason: disabledBecause });
  }
  return failingSince === null
    ? translate("shop.webhooks.on")
    : translate("shop.webhooks.failing", { since: time(failingSince) });
}
