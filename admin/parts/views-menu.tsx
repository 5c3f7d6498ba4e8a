import DeleteIcon from "@mui/icons-material/DeleteOutlined";
import { Box, Button, IconButton, Link as MuiLink, Popover, TextField } from "@mui/material";
import { useState, type FormEvent } from "react";
import { useStore, useTranslate } from "react-admin";
import { Link, useLocation } from "react-router-dom";

interface View {
  readonly name: string;
  readonly search: string;
}

/** Addresses of a list under names, kept in this browser. */
export function ViewsMenu({ resource }: { readonly resource: string }) {
  const translate = useTranslate();
  const { search } = useLocation();
  const [views, setViews] = useStore<readonly View[]>(`${resource}.views`, []);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setAnchor(null);
  const others = (name: string): View[] => views.filter((view) => view.name !== name);
  const save = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = (new FormData(event.currentTarget).get("name") as string).trim();
    if (name === "") return;
    setViews([...others(name), { name, search }]);
    close();
  };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={(event) => setAnchor(event.currentTarget)}>
        {translate("shop.list.views")}
      </Button>
      <Popover
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
        slotProps={{ paper: { role: "dialog", "aria-label": translate("shop.list.views") } }}
      >
        <Box sx={{ p: 2, display: "grid", gap: 1 }}>
          {views.map((view) => (
            <Box key={view.name} sx={{ display: "flex", alignItems: "center" }}>
              <MuiLink component={Link} to={view.search || "."} onClick={close} sx={{ flex: 1 }}>
                {view.name}
              </MuiLink>
              <IconButton
                size="small"
                aria-label={translate("shop.list.forget_view", { name: view.name })}
                onClick={() => setViews(others(view.name))}
              >
                <DeleteIcon fontSize="small" />
              </IconButton>
            </Box>
          ))}
          <Box component="form" onSubmit={save} sx={{ display: "flex", gap: 1 }}>
            <TextField name="name" label={translate("shop.list.view_name")} />
            <Button type="submit">{translate("shop.list.save_view")}</Button>
          </Box>
        </Box>
      </Popover>
    </>
  );
}
