import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import { Button, IconButton, Popover, Stack, TextField } from "@mui/material";
import { useState, type FormEvent, type ReactNode } from "react";
import { useListContext, useResourceContext, useStore } from "react-admin";
import { useLocation } from "react-router-dom";
import { download } from "../api/request";
import { fieldName, t } from "../texts";
import { AskButton } from "./ask";
import { Choice, choicesOf, useCondition } from "./filters";
import { To } from "./page";

function Below({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [anchorEl, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={(event) => setAnchor(event.currentTarget)}>
        {label}
      </Button>
      <Popover
        {...{ anchorEl, open: anchorEl !== null, onClose: () => setAnchor(null) }}
        anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
        slotProps={{ paper: { role: "dialog", "aria-label": label, sx: { p: 2, maxWidth: 420 } } }}
      >
        {children}
      </Popover>
    </>
  );
}

/** Chooses the columns; which ones are shown is part of the address. The first one always is. */
export function ColumnsMenu({ keys, value }: Readonly<{ keys: string[]; value: string[] }>) {
  const resource = useResourceContext() ?? "";
  const [, onChange] = useCondition("columns");
  const choices = keys.map((key) => ({ value: key, name: fieldName(resource, key) }));
  const label = t("ra.action.select_columns");
  return (
    <Below label={label}>
      <Choice {...{ label, choices, value, onChange }} />
    </Below>
  );
}

type View = Readonly<{ name: string; search: string }>;

/** Addresses of a list under names, stored in this browser. */
export function ViewsMenu({ resource }: { readonly resource: string }) {
  const { search } = useLocation();
  const [views, setViews] = useStore<readonly View[]>(`${resource}.views`, []);
  const others = (name: string) => views.filter((view) => view.name !== name);
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = (new FormData(event.currentTarget).get("name") as string).trim();
    if (name !== "") setViews([...others(name), { name, search }]);
  };
  return (
    <Below label={t("list.views")}>
      {views.map((view) => (
        <Stack key={view.name} direction="row" sx={{ alignItems: "center" }}>
          <To to={view.search || "."}>{view.name}</To>
          <IconButton
            aria-label={t("list.forget_view", { name: view.name })}
            onClick={() => setViews(others(view.name))}
          >
            <DeleteIcon />
          </IconButton>
        </Stack>
      ))}
      <Stack direction="row" component="form" onSubmit={save}>
        <TextField name="name" label={t("list.view_name")} />
        <Button type="submit">{t("list.save_view")}</Button>
      </Stack>
    </Below>
  );
}

interface ExportProps {
  readonly kind: "orders" | "products" | "subscribers";
  readonly conditionsOf?: (filter: Record<string, unknown>) => object;
}

export function ExportButton({ kind, conditionsOf = () => ({}) }: ExportProps) {
  const { filterValues } = useListContext();
  const [size, setSize] = useState<number>();
  const [use, setUse] = useState("people");
  const [rows, setRows] = useState("orders");
  const save = async (signal: AbortSignal): Promise<void> => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const people = { format: "csv", for: "people", locale: navigator.language, timeZone };
    const query = {
      ...conditionsOf(filterValues as Record<string, unknown>),
      ...(use === "people" ? people : { format: use, for: "programs" }),
      ...(kind === "orders" && { rows }),
    };
    await download(kind, query, setSize, signal).finally(() => setSize(undefined));
  };
  const choice = (label: string, keys: string[], value: string, set: (key: string) => void) => (
    <Choice
      {...{ isSingle: true, label: t(label), choices: choicesOf("export", keys), value: [value] }}
      onChange={([next = value]) => set(next)}
    />
  );
  return (
    <AskButton
      {...{ act: save, label: t("ra.action.export"), title: t(`export.of_${kind}`) }}
      {...{ isFinal: false, does: t("export.save"), done: "export.done" }}
    >
      {choice("export.for", ["people", "csv", "jsonl"], use, setUse)}
      {kind === "orders" && choice("export.rows", ["orders", "items"], rows, setRows)}
      <p role="status">
        {size !== undefined && t("export.so_far", { size: (size / 1_000_000).toFixed(1) })}
      </p>
    </AskButton>
  );
}
