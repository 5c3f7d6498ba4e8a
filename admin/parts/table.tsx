import {
  Checkbox,
  Link as MuiLink,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TableSortLabel,
} from "@mui/material";
import type { ReactNode } from "react";
import { useListContext, useTranslate, type RaRecord } from "react-admin";
import { Link } from "react-router-dom";

/** A column of a list. The first one names the thing, and links to its page. */
export interface Column<Thing> {
  /** The field by which the service sorts, where it can. */
  readonly sortBy?: string;
  readonly key: string;
  readonly label: string;
  readonly isNumber?: boolean;
  /** Not shown unless chosen. */
  readonly isExtra?: boolean;
  readonly render: (thing: Thing) => ReactNode;
}

interface Props<Thing> {
  readonly label: string;
  readonly columns: readonly Column<Thing>[];
  readonly nameOf: (thing: Thing) => string;
  readonly linkTo?: ((thing: Thing) => string) | undefined;
  readonly canSelect?: boolean;
  /** Rows before those of the list. */
  readonly above?: readonly Thing[];
}

/** The rows of the list around it: sorting is announced, each row has a real link, and a box that has its name. */
export function ListTable<Thing extends RaRecord>({
  label,
  columns,
  nameOf,
  linkTo,
  canSelect,
  above = [],
}: Props<Thing>) {
  const translate = useTranslate();
  const { data = [], sort, setSort, selectedIds, onSelect, onToggleItem } = useListContext<Thing>();
  const known = new Set(above.map(({ id }) => id));
  const rows = [...above, ...data.filter(({ id }) => !known.has(id))];
  const ids = rows.map(({ id }) => id);
  const chosen = ids.filter((id) => selectedIds.includes(id));
  const others = selectedIds.filter((id) => !ids.includes(id));
  return (
    <Table size="small" aria-label={label}>
      <TableHead>
        <TableRow>
          {canSelect && (
            <TableCell padding="checkbox">
              <Checkbox
                checked={ids.length > 0 && chosen.length === ids.length}
                indeterminate={chosen.length > 0 && chosen.length < ids.length}
                onChange={({ target }) => onSelect(target.checked ? [...others, ...ids] : others)}
                slotProps={{ input: { "aria-label": translate("shop.list.select_page") } }}
              />
            </TableCell>
          )}
          {columns.map(({ key, label: name, sortBy, isNumber }) => {
            const direction =
              sort.field === sortBy ? (sort.order === "ASC" ? "asc" : "desc") : false;
            return (
              <TableCell key={key} sortDirection={direction} align={isNumber ? "right" : "left"}>
                {sortBy === undefined ? (
                  name
                ) : (
                  <TableSortLabel
                    active={direction !== false}
                    direction={direction || "asc"}
                    onClick={() =>
                      setSort({ field: sortBy, order: direction === "asc" ? "DESC" : "ASC" })
                    }
                  >
                    {name}
                  </TableSortLabel>
                )}
              </TableCell>
            );
          })}
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map((thing) => (
          <TableRow key={thing.id} hover selected={selectedIds.includes(thing.id)}>
            {canSelect && (
              <TableCell padding="checkbox">
                <Checkbox
                  checked={selectedIds.includes(thing.id)}
                  onChange={() => onToggleItem(thing.id)}
                  slotProps={{
                    input: { "aria-label": translate("shop.list.select", { name: nameOf(thing) }) },
                  }}
                />
              </TableCell>
            )}
            {columns.map(({ key, isNumber, render }, index) => (
              <TableCell
                key={key}
                align={isNumber ? "right" : "left"}
                {...(index === 0 && { component: "th", scope: "row" })}
                sx={
                  isNumber
                    ? { fontVariantNumeric: "tabular-nums" }
                    : { maxWidth: 360, minWidth: 90 }
                }
              >
                {index === 0 && linkTo ? (
                  <MuiLink component={Link} to={linkTo(thing)}>
                    {render(thing)}
                  </MuiLink>
                ) : (
                  render(thing)
                )}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
