import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from "@mui/material";
import { useState } from "react";
import { useListContext, useNotify, useTranslate } from "react-admin";
import { download } from "../api/download";
import { problemOf } from "../api/problem";
import { Choice } from "./filters";

interface Props {
  readonly kind: "orders" | "products" | "subscribers";
  /** The conditions of the list's address, as the service takes them. */
  readonly conditionsOf?: (filter: Record<string, unknown>) => Record<string, unknown>;
}

/** Writes all that the address of the list says to a file. */
export function ExportButton({ kind, conditionsOf = () => ({}) }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const { filterValues } = useListContext();
  const [isOpen, setOpen] = useState(false);
  const [size, setSize] = useState<number>();
  const [use, setUse] = useState("people");
  const [rows, setRows] = useState("orders");
  const choices = (values: string[]) =>
    values.map((value) => ({ value, name: translate(`shop.export.${value}`) }));

  const save = async (): Promise<void> => {
    setSize(0);
    const query = {
      ...conditionsOf(filterValues as Record<string, unknown>),
      ...(use === "people"
        ? {
            ...{ format: "csv", for: "people", locale: navigator.language },
            timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          }
        : { format: use, for: "programs" }),
      ...(kind === "orders" && { rows }),
    };
    try {
      await download(kind, query, setSize);
      notify("shop.export.done", { type: "success" });
      setOpen(false);
    } catch (fault) {
      notify("shop.export.failed", {
        type: "error",
        messageArgs: { reason: problemOf(fault).message },
      });
    } finally {
      setSize(undefined);
    }
  };

  return (
    <>
      <Button onClick={() => setOpen(true)}>{translate("shop.export.title")}</Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} aria-labelledby="export">
        <DialogTitle id="export">{translate(`shop.export.of_${kind}`)}</DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 2 }}>
          <Choice
            isSingle
            label={translate("shop.export.for")}
            choices={choices(["people", "csv", "jsonl"])}
            value={[use]}
            onChange={([next]) => setUse(next ?? use)}
          />
          {kind === "orders" && (
            <Choice
              isSingle
              label={translate("shop.export.rows")}
              choices={choices(["orders", "items"])}
              value={[rows]}
              onChange={([next]) => setRows(next ?? rows)}
            />
          )}
          <p role="status">
            {size !== undefined &&
              translate("shop.export.so_far", { size: (size / 1_000_000).toFixed(1) })}
          </p>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>{translate("shop.action.go_back")}</Button>
          <Button
            variant="contained"
            autoFocus
            disabled={size !== undefined}
            onClick={() => void save()}
          >
            {translate("shop.export.save")}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
