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
import { ColumnsMenu } from "./columns-menu";
import { count } from "./format";
import { PageTitle } from "./page-title";
import { SELECTED_MAX, SelectionProvider, useSelection } from "./selected";
import { ListTable, type Column } from "./table";
import { ViewsMenu } from "./views-menu";

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
  /** Brings things that are newer than those shown. */
  readonly useNewer?: () => Newer<Thing>;
}

/** What has come since a list was read: rows to show above it, and what tells of the others. */
export interface Newer<Thing> {
  readonly above: readonly Thing[];
  readonly notice?: ReactNode;
}

const useNothingNewer = (): Newer<never> => ({ above: [] });

/** A list whose whole state (conditions, sorting, page, columns) is the address of the page. */
export function ListPage<Thing extends RaRecord>(props: Props<Thing>) {
  const { resource, sort = { field: "createdAt", order: "DESC" } } = props;
  return (
    <ListBase resource={resource} sort={sort} perPage={25} storeKey={false} disableAuthentication>
      <SelectionProvider>
        <ListFrame {...props} />
      </SelectionProvider>
    </ListBase>
  );
}

function ListFrame<Thing extends RaRecord>(props: Props<Thing>) {
  const { title, columns, nameOf, linkTo, filters, bulk, actions, resource } = props;
  const useNewer = props.useNewer ?? useNothingNewer;
  const translate = useTranslate();
  const refresh = useRefresh();
  const { data, total, error, isPending, filterValues } = useListContext<Thing>();
  const { above, notice } = useNewer();
  const shown = columnsShown(columns, filterValues["columns"]);
  const name = translate(title, { smart_count: 2 });
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", mb: 1.5 }}>
        <PageTitle>{name}</PageTitle>
        <Typography role="status" color="text.secondary" sx={{ flex: 1, whiteSpace: "nowrap" }}>
          {total !== undefined &&
            translate("shop.list.found", { count: count(total + above.length) })}
        </Typography>
        {actions}
        <ViewsMenu resource={resource} />
        <ColumnsMenu columns={columns} shown={shown} />
      </Box>
      {filters}
      {notice}
      {error ? (
        <Alert
          severity="error"
          action={<Button onClick={refresh}>{translate("shop.action.try_again")}</Button>}
        >
          {translate("shop.list.failed", { reason: problemOf(error).message })}
        </Alert>
      ) : (
        <Paper variant="outlined" sx={{ overflowX: "auto", position: "relative" }}>
          {bulk && <BulkBar>{bulk}</BulkBar>}
          <ListTable<Thing>
            {...{ nameOf, linkTo, above }}
            label={name}
            columns={shown}
            canSelect={bulk !== undefined}
          />
          {!isPending && data.length + above.length === 0 && (
            <Typography sx={{ p: 2 }}>{translate("shop.list.nothing")}</Typography>
          )}
        </Paper>
      )}
      <Pagination rowsPerPageOptions={[10, 25, 50]} />
    </>
  );
}

/** What is selected, and what can be done with it. It keeps its height and the places of its buttons. */
function BulkBar({ children }: { readonly children: ReactNode }) {
  const translate = useTranslate();
  const { selectedIds, total = 0, data = [], onUnselectItems } = useListContext();
  const { selectAllMatching } = useSelection();
  const selected = selectedIds.length;
  const most = Math.min(total, SELECTED_MAX);
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", p: 1 }}>
      {children}
      <Typography role="status" color="text.secondary">
        {translate("shop.list.selected", { smart_count: selected })}
      </Typography>
      {selected >= data.length && selected > 0 && selected < most && (
        <Button onClick={selectAllMatching}>
          {translate("shop.list.all_matching", { count: count(most) })}
        </Button>
      )}
      {selected > 0 && (
        <Button onClick={() => onUnselectItems()}>{translate("shop.list.none")}</Button>
      )}
    </Box>
  );
}

function columnsShown<Thing>(all: readonly Column<Thing>[], keys: unknown): Column<Thing>[] {
  if (Array.isArray(keys)) return all.filter(({ key }, index) => index === 0 || keys.includes(key));
  return all.filter(({ isExtra }) => !isExtra);
}
