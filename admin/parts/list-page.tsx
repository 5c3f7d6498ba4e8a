import { Alert, Box, Button, Paper, Typography } from "@mui/material";
import type { ReactNode } from "react";
import {
  ListBase,
  Pagination,
  useListContext,
  useRefresh,
  useTranslate,
  type RaRecord,
  type SortPayload,
} from "react-admin";
import { problemOf } from "../api/problem";
import { count } from "./format";
import { PageTitle } from "./page-title";
import { ListTable, type Column } from "./table";

interface Props<Thing> {
  /** The key of the name of what is listed. */
  readonly title: string;
  readonly resource: string;
  readonly columns: readonly Column<Thing>[];
  readonly nameOf: (thing: Thing) => string;
  readonly linkTo?: (thing: Thing) => string;
  readonly sort?: SortPayload;
  readonly filters?: ReactNode;
  /** What can be done with the rows that are selected. */
  readonly bulk?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
}

/** A list whose whole state (conditions, sorting, page, columns) is the address of the page. */
export function ListPage<Thing extends RaRecord>(props: Props<Thing>) {
  const { resource, sort = { field: "createdAt", order: "DESC" } } = props;
  return (
    <ListBase resource={resource} sort={sort} perPage={25} storeKey={false} disableAuthentication>
      <ListFrame {...props} />
    </ListBase>
  );
}

function ListFrame<Thing extends RaRecord>(props: Props<Thing>) {
  const { title, columns, nameOf, linkTo, filters, bulk, actions } = props;
  const translate = useTranslate();
  const { data, total, error, selectedIds, isPending, onUnselectItems } = useListContext<Thing>();
  const refresh = useRefresh();
  const name = translate(title, { smart_count: 2 });
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", mb: 1 }}>
        <PageTitle>{name}</PageTitle>
        <Typography role="status" color="text.secondary" sx={{ flex: 1 }}>
          {total !== undefined && translate("shop.list.found", { count: count(total) })}
        </Typography>
        {actions}
      </Box>
      {filters}
      {error ? (
        <Alert
          severity="error"
          action={<Button onClick={refresh}>{translate("shop.action.try_again")}</Button>}
        >
          {translate("shop.list.failed", { reason: problemOf(error).message })}
        </Alert>
      ) : (
        <Paper variant="outlined" sx={{ overflowX: "auto" }}>
          {bulk && (
            <Box
              sx={{
                display: "flex",
                flexWrap: "wrap",
                gap: 1,
                alignItems: "center",
                minHeight: 44,
                px: 2,
              }}
            >
              <Typography role="status" sx={{ color: "text.secondary" }}>
                {translate("shop.list.selected", { smart_count: selectedIds.length })}
              </Typography>
              {selectedIds.length > 0 && (
                <>
                  {bulk}
                  <Button onClick={() => onUnselectItems()}>{translate("shop.list.none")}</Button>
                </>
              )}
            </Box>
          )}
          <ListTable<Thing>
            label={name}
            columns={columns}
            nameOf={nameOf}
            linkTo={linkTo}
            canSelect={bulk !== undefined}
          />
          {!isPending && data.length === 0 && (
            <Typography sx={{ p: 2 }}>{translate("shop.list.nothing")}</Typography>
          )}
        </Paper>
      )}
      <Pagination rowsPerPageOptions={[10, 25, 50]} />
    </>
  );
}
