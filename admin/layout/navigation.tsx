import { List, ListItem, ListItemButton, ListItemText } from "@mui/material";
import { useTranslate } from "react-admin";
import { NavLink } from "react-router-dom";

/** The pages in the navigation: their path below `/admin`, and the key of their name. */
export const pages = [
  { path: "/", name: "shop.page.overview" },
  { path: "/orders", name: "resources.orders.name" },
  { path: "/products", name: "resources.products.name" },
  { path: "/categories", name: "resources.categories.name" },
  { path: "/customers", name: "resources.customers.name" },
  { path: "/newsletter", name: "resources.newsletter.name" },
  { path: "/webhooks", name: "resources.webhooks.name" },
  { path: "/audit-log", name: "resources.audit-log.name" },
  { path: "/import", name: "shop.page.import" },
] as const;

/** The way to every page: real links, which open in tabs of their own, too. */
export function Navigation() {
  const translate = useTranslate();
  return (
    <List component="nav" aria-label={translate("shop.menu.name")} dense disablePadding>
      <List component="ul" dense sx={{ minWidth: 180 }}>
        {pages.map(({ path, name }) => (
          <ListItem key={path} disablePadding>
            <ListItemButton
              component={NavLink}
              to={path}
              end={path === "/"}
              sx={{ "&.active": { fontWeight: 600, bgcolor: "action.selected" } }}
            >
              <ListItemText
                primary={translate(name, { smart_count: 2 })}
                slotProps={{ primary: { fontWeight: "inherit" } }}
              />
            </ListItemButton>
          </ListItem>
        ))}
      </List>
    </List>
  );
}
