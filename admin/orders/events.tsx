import { Box, List, ListItem, ListItemText, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslate } from "react-admin";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { time } from "../parts/format";

const OrderEventList = graphql(`
  query OrderEventList($id: Int!) {
    events(first: 20, filter: { subject: ORDER, subjectId: $id }) {
      edges { node { id type at } }
    }
  }
`);

/** What other programs were told of an order, newest first. */
export function OrderEvents({ id, version }: { readonly id: number; readonly version: number }) {
  const translate = useTranslate();
  const { data } = useQuery({
    queryKey: ["orders", "events", id, version],
    queryFn: ({ signal }) => request(OrderEventList, { id }, signal),
  });
  if (!data) return null;
  return (
    <Box component="section">
      <Typography component="h2" variant="h2">
        {translate("shop.orders.events")}
      </Typography>
      <List dense>
        {data.events.edges.map(({ node }) => (
          <ListItem key={node.id} disableGutters>
            <ListItemText
              primary={translate(`shop.event.${node.type.replace(".", "_")}`, { _: node.type })}
              secondary={time(node.at)}
            />
          </ListItem>
        ))}
      </List>
    </Box>
  );
}
