import { Alert, Button, Checkbox, Paper, Typography } from "@mui/material";
import { Table, TableBody, TableCell, TableHead, TableRow, TableSortLabel } from "@mui/material";
import { useEffect, type ReactNode } from "react";
import { ListBase, Pagination, useListContext, useRefresh, useResourceContext } from "react-admin";
import type { RaRecord, SortPayload } from "react-admin";
import { Link } from "react-router-dom";
import { fieldName, kindName, t } from "../texts";
import { BulkBar, remember } from "./bulk";
import { amount, count, time } from "./format";
import { ColumnsMenu, ViewsMenu } from "./menus";
import { PageHead, pageOf, Row, SCROLLS, To } from "./page";

/** A column of a list. The first one names the thing, and links to its page. */
export interface Column<Thing> {
  /** Its name below `resources`, and the field that is shown where nothing renders it. */
  readonly key: string;
  readonly kind?: keyof typeof KINDS;
  readonly render?: (thing: Thing) => ReactNode;
  readonly sorts?: boolean;
  readonly isExtra?: boolean;
}

const keysOf = (columns: readonly Column<never>[]) => columns.map(({ key }) => key);
const CELL = { maxWidth: 360, minWidth: 90, whiteSpace: "pre-line" };
const KINDS = { amount, count, time };

/** What has come since a list was read: rows to show above it, and what says so. */
export type Newer<Thing> = Readonly<{ above: readonly Thing[]; notice?: ReactNode }>;
const NONE: Newer<never> = { above: [] };

interface Props<Thing> {
  readonly columns: readonly Column<Thing>[];
  readonly nameOf?: (thing: Thing) => string;
  readonly linkTo?: (thing: Thing) => string | undefined;
  readonly sort?: SortPayload;
  readonly filters?: ReactNode;
  readonly bulk?: ReactNode;
  readonly actions?: ReactNode;
  readonly canCreate?: boolean;
  readonly useNewer?: () => Newer<Thing>;
}

/** A list whose whole state (conditions, sorting, page, columns) is the address of the page. */
export function ListPage<Thing extends RaRecord>(props: Props<Thing>) {
  const { sort = { field: "createdAt", order: "DESC" } } = props;
  return (
    <ListBase sort={sort} perPage={25} storeKey={false} disableAuthentication>
      <List {...props} />
    </ListBase>
  );
}

function List<Thing extends RaRecord>(props: Props<Thing>) {
  const { columns, filters, bulk, actions, canCreate = false } = props;
  const resource = useResourceContext() ?? "";
  const refresh = useRefresh();
  const { data = [], total, error, isPending, ...list } = useListContext<Thing>();
  const { above, notice } = props.useNewer?.() ?? NONE;
  const { columns: keys, ...conditions } = list.filterValues as { columns?: string[] };
  // Another list than before begins with nothing selected.
  useEffect(() => list.onUnselectItems(), [JSON.stringify(conditions)]);
  const shown = columns.filter(
    ({ key, isExtra }, index) => index === 0 || (keys ? keys.includes(key) : !isExtra),
  );
  const isAbove = new Set(above.map(({ id }) => id));
  const rows = [...above, ...data.filter(({ id }) => !isAbove.has(id))];
  remember(resource, rows);
  const label = kindName(resource);
  return (
    <>
      <PageHead title={label}>
        <Typography role="status" color="text.secondary">
          {total !== undefined && t("list.found", { count: count(total + above.length) })}
        </Typography>
        {canCreate && (
          <Button component={Link} to={`/${resource}/create`} variant="contained">
            {t(`${resource}.new`)}
          </Button>
        )}
        {actions}
        <ViewsMenu resource={resource} />
        <ColumnsMenu keys={keysOf(columns).slice(1)} value={keysOf(shown)} />
      </PageHead>
      {filters && <Row>{filters}</Row>}
      {notice}
      {bulk && <BulkBar>{bulk}</BulkBar>}
      {error ? (
        <Alert severity="error" action={<Button onClick={refresh}>{t("action.try_again")}</Button>}>
          {t("list.failed", { reason: error.message })}
        </Alert>
      ) : (
        <Paper {...SCROLLS}>
          <Rows<Thing> {...props} {...{ label, rows, columns: shown }} />
          {!isPending && rows.length === 0 && (
            <Typography sx={{ p: 2 }}>{t("list.nothing")}</Typography>
          )}
        </Paper>
      )}
      <Pagination rowsPerPageOptions={[10, 25, 50]} />
    </>
  );
}

/** The table: sorting is announced, each row has a real link, and a box that has its name. */
function Rows<Thing extends RaRecord>(
  props: Props<Thing> & { readonly label: string; readonly rows: readonly Thing[] },
) {
  const { label, columns, rows, nameOf = ({ id }) => String(id), bulk } = props;
  const list = useListContext<Thing>();
  const { resource, sort, setSort, selectedIds, onSelect, onToggleItem } = list;
  const linkTo = props.linkTo ?? (({ id }: Thing) => pageOf(resource, id));
  const ids = rows.map(({ id }) => id);
  const chosen = ids.filter((id) => selectedIds.includes(id));
  const others = selectedIds.filter((id) => !ids.includes(id));
  const isWhole = ids.length > 0 && chosen.length === ids.length;
  const box = (name: string, checked: boolean, toggle: () => void, indeterminate = false) =>
    bulk && (
      <TableCell padding="checkbox">
        <Checkbox
          {...{ checked, indeterminate, onChange: toggle }}
          slotProps={{ input: { "aria-label": name } }}
        />
      </TableCell>
    );
  const alignOf = ({ kind = "time" }: Column<Thing>) => (kind === "time" ? "left" : "right");
  const heading = (column: Column<Thing>) => {
    const { key: field, sorts } = column;
    const active = sort.field === field;
    const direction = active && sort.order === "DESC" ? "desc" : "asc";
    const order = active && direction === "asc" ? "DESC" : "ASC";
    const name = fieldName(resource, field);
    return (
      <TableCell key={field} sortDirection={active && direction} align={alignOf(column)}>
        {sorts ? (
          <TableSortLabel {...{ active, direction }} onClick={() => setSort({ field, order })}>
            {name}
          </TableSortLabel>
        ) : (
          name
        )}
      </TableCell>
    );
  };
  const cell = (thing: Thing, column: Column<Thing>, index: number) => {
    const { key, kind, render } = column;
    const content = kind ? KINDS[kind](thing[key] as never) : (render?.(thing) ?? thing[key]);
    const to = index === 0 ? linkTo(thing) : undefined;
    return (
      <TableCell
        key={key}
        align={alignOf(column)}
        {...(index === 0 && { component: "th", scope: "row" })}
        sx={CELL}
      >
        {to === undefined ? content : <To to={to}>{content}</To>}
      </TableCell>
    );
  };
  const togglePage = (): void => onSelect(isWhole ? others : [...others, ...ids]);
  return (
    <Table size="small" aria-label={label}>
      <TableHead>
        <TableRow>
          {box(t("list.select_page"), isWhole, togglePage, chosen.length > 0 && !isWhole)}
          {columns.map(heading)}
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map((thing) => {
          const isChosen = selectedIds.includes(thing.id);
          const name = t("list.select", { name: nameOf(thing) });
          return (
            <TableRow key={thing.id} hover selected={isChosen}>
              {box(name, isChosen, () => onToggleItem(thing.id))}
              {columns.map((column, index) => cell(thing, column, index))}
            </TableRow>
          );
        })}
      </TableBody>
    </Table>
  );
}
