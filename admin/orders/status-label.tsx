import { Chip } from "@mui/material";
import { useTranslate } from "react-admin";
import type { OrderStatus } from "../api/generated/graphql";

const COLORS = { PENDING: "primary", PAID: "default", CANCELLED: "error" } as const;

/** The state of an order in the words of a shop. */
export function StatusLabel({ status }: { readonly status: OrderStatus }) {
  const translate = useTranslate();
  return (
    <Chip
      size="small"
      variant="outlined"
      color={COLORS[status]}
      label={translate(`shop.orders.status.${status}`)}
    />
  );
}
