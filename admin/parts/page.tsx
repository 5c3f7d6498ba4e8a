import { Box, Link as MuiLink, Paper, Typography } from "@mui/material";
import { Table, TableBody, TableCell, TableHead, TableRow } from "@mui/material";
import { useEffect, useRef, type FC, type ReactNode } from "react";
import { ShowBase, WithRecord } from "react-admin";
import { Link, useLocation } from "react-router-dom";
import { t } from "../texts";

type Titled = Readonly<{ title: string; children?: ReactNode }>;

/** Things side by side, which go on below where there is no room. */
export const Row = ({ children }: { readonly children: ReactNode }) => (
  <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", mb: 1.5 }}>
    {children}
  </Box>
);

/** The heading of a page: it names the tab, and has the focus when the page is opened, so that it is read first. */
export function PageHead({ title, children }: Titled) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} – ${t("title")}`;
  }, [title]);
  useEffect(() => {
    if (!document.activeElement?.closest("input, textarea, [role=dialog]"))
      heading.current?.focus();
  }, [pathname]);
  return (
    <Row>
      <Typography ref={heading} component="h1" variant="h1" tabIndex={-1} sx={{ flex: 1 }}>
        {title}
      </Typography>
      {children}
    </Row>
  );
}

export const Section = ({ title, children }: Titled) => (
  <Box component="section" sx={{ minWidth: 0 }}>
    <Typography component="h2" variant="h2" gutterBottom>
      {title}
    </Typography>
    {children}
  </Box>
);

export const To = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <MuiLink component={Link} to={to} sx={{ overflowWrap: "anywhere" }}>
    {children}
  </MuiLink>
);

export const pageOf = (resource: string, id: number | string): string =>
  `/${resource}/${encodeURIComponent(id)}${/^(orders|customers)$/.test(resource) ? "/show" : ""}`;

export const listOf = (resource: string, filter: object): string =>
  `/${resource}?filter=${encodeURIComponent(JSON.stringify(filter))}`;

type ThingProps<Thing> = Readonly<{ has: keyof Thing; of: FC<{ thing: Thing }> }>;

/** Reads the thing whose page this is, with the field that it `has` and one in the cache of a list has not. */
export const ThingPage = <Thing extends object>({ has, of: Page }: ThingProps<Thing>) => (
  <ShowBase disableAuthentication>
    <WithRecord<Thing> render={(thing) => has in thing && <Page thing={thing} />} />
  </ShowBase>
);

/** What is wider than a phone is scrolled by keys, too. */
export const SCROLLS = { variant: "outlined", tabIndex: 0, sx: { overflowX: "auto" } } as const;
const LINES = { verticalAlign: "top", whiteSpace: "pre-line", overflowWrap: "anywhere" };

interface TableProps {
  readonly label: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  readonly numbers?: readonly number[];
}

/** A table within a page. The first cell of a row is its heading. */
export function SmallTable({ label, headings, rows, numbers = [] }: TableProps) {
  const row = (cells: readonly ReactNode[], index: number, isHead = false) => (
    <TableRow key={index} sx={LINES}>
      {cells.map((cell, column) => (
        <TableCell
          key={column}
          align={numbers.includes(column) ? "right" : "left"}
          {...(column === 0 && !isHead && { component: "th", scope: "row" })}
        >
          {cell}
        </TableCell>
      ))}
    </TableRow>
  );
  const names = headings.map((key) => t(key));
  return (
    <Paper {...SCROLLS}>
      <Table size="small" aria-label={label}>
        <TableHead>{row(names, 0, true)}</TableHead>
        <TableBody>{rows.map((cells, index) => row(cells, index))}</TableBody>
      </Table>
      {rows.length === 0 && <Typography sx={{ p: 2 }}>{t("list.nothing")}</Typography>}
    </Paper>
  );
}
