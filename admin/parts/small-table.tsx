import { Paper, Table, TableBody, TableCell, TableHead, TableRow, Typography } from "@mui/material";
import type { ReactNode } from "react";
import { useTranslate } from "react-admin";

interface Props {
  readonly label: string;
  readonly headings: readonly string[];
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly ReactNode[] }[];
}

/** A table within a page. The first cell of a row is its heading. */
export function SmallTable({ label, headings, rows }: Props) {
  const translate = useTranslate();
  return (
    <Paper variant="outlined" sx={{ overflowX: "auto" }}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {headings.map((heading) => (
              <TableCell key={heading}>{heading}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ key, cells: [first, ...others] }) => (
            <TableRow key={key} sx={{ verticalAlign: "top" }}>
              <TableCell component="th" scope="row">
                {first}
              </TableCell>
              {others.map((cell, index) => (
                <TableCell key={headings[index + 1]}>{cell}</TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {rows.length === 0 && <Typography sx={{ p: 2 }}>{translate("shop.list.nothing")}</Typography>}
    </Paper>
  );
}
