import CheckIcon from "@mui/icons-material/Check";
import { Button, ListItemIcon, ListItemText, Menu, MenuItem } from "@mui/material";
import { useState } from "react";
import { useTranslate } from "react-admin";
import { useConditions } from "./filters";
import type { Column } from "./table";

interface Props<Thing> {
  readonly columns: readonly Column<Thing>[];
  readonly shown: readonly Column<Thing>[];
}

/** Chooses the columns; which ones are shown is part of the address. The first one always is. */
export function ColumnsMenu<Thing>({ columns, shown }: Props<Thing>) {
  const translate = useTranslate();
  const { set } = useConditions<{ columns: string[] }>();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const keys = shown.map(({ key }) => key);
  const toggle = (key: string): void =>
    set({ columns: keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key] });
  return (
    <>
      <Button aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
        {translate("shop.list.columns")}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {columns.slice(1).map(({ key, label }) => (
          <MenuItem
            key={key}
            role="menuitemcheckbox"
            aria-checked={keys.includes(key)}
            onClick={() => toggle(key)}
          >
            <ListItemIcon>{keys.includes(key) && <CheckIcon />}</ListItemIcon>
            <ListItemText>{label}</ListItemText>
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
