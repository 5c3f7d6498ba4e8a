import DarkModeIcon from "@mui/icons-material/DarkModeOutlined";
import LightModeIcon from "@mui/icons-material/LightModeOutlined";
import MenuIcon from "@mui/icons-material/Menu";
import PersonIcon from "@mui/icons-material/PersonOutlined";
import { AppBar, Box, Button, Drawer, IconButton, List, ListItem } from "@mui/material";
import { ListItemButton, Toolbar, Typography, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { Loading, SkipNavigationButton, useLogout, useTheme } from "react-admin";
import { Link, NavLink, useLocation } from "react-router-dom";
import { pages, SearchEverything } from "../search/search";
import { Confirm } from "../session/confirm";
import { SignInAgain } from "../session/sign-in";
import { session } from "../session/session";
import { kindName, t } from "../texts";

const BAR = {
  ...{ bgcolor: "background.paper", color: "text.primary" },
  ...{ borderBottom: 1, borderColor: "divider" },
};
const COLUMN = { width: 190, flex: "none", borderRight: 1, borderColor: "divider" };
const MAIN = { flex: 1, minWidth: 0, p: { xs: 1.5, md: 3 }, outline: "none" };
/** The way home; the bar of a phone has no room for it. */
const HOME = {
  display: { xs: "none", sm: "block" },
  ...{ fontWeight: 600, color: "inherit", textDecoration: "none", whiteSpace: "nowrap" },
};

const ENTRY = { "&.active": { fontWeight: 600, bgcolor: "action.selected" } };

const navigation = (
  <nav aria-label={kindName("pages")}>
    <List dense disablePadding sx={{ minWidth: 180 }}>
      {pages.map(({ path, name }) => (
        <ListItem key={path} disablePadding>
          <ListItemButton {...{ component: NavLink, to: path, end: path === "/", sx: ENTRY }}>
            {name}
          </ListItemButton>
        </ListItem>
      ))}
    </List>
  </nav>
);

/** What is around every page: the bar, the navigation, and the dialog that asks for the password again. */
export function Layout({ children }: { readonly children?: ReactNode }) {
  const { pathname } = useLocation();
  const logout = useLogout();
  const isWide = useMediaQuery((theme: Theme) => theme.breakpoints.up("md"));
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [pathname]);
  // Signed out in another tab: this one leaves the page, too.
  useEffect(
    () => session.onChange(() => void (session.phase === "signed-out" && logout())),
    [logout],
  );
  const drawer = { open: isOpen, onClose: () => setOpen(false) };
  return (
    <Box sx={{ display: "flex", flexDirection: "column", minHeight: "100vh" }}>
      <SkipNavigationButton />
      <AppBar position="sticky" elevation={0} sx={BAR}>
        <Toolbar variant="dense" sx={{ gap: 1 }}>
          {!isWide && (
            <IconButton onClick={() => setOpen(true)} aria-label={t("menu.open")} edge="start">
              <MenuIcon />
            </IconButton>
          )}
          <Typography component={Link} to="/" sx={HOME}>
            {t("title")}
          </Typography>
          <SearchEverything />
          <Box sx={{ flex: 1, display: { xs: "none", md: "block" } }} />
          <AccountMenu />
        </Toolbar>
      </AppBar>
      <Box sx={{ display: "flex", flex: 1, minWidth: 0 }}>
        {isWide ? <Box sx={COLUMN}>{navigation}</Box> : <Drawer {...drawer}>{navigation}</Drawer>}
        <Box {...{ component: "main", id: "main-content", tabIndex: -1, sx: MAIN }}>
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </Box>
      </Box>
      <SignInAgain />
      <Confirm />
    </Box>
  );
}

function AccountMenu() {
  const logout = useLogout();
  const [theme, setTheme] = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  const account = t("menu.account", { email: session.email });
  return (
    <>
      <IconButton onClick={() => setTheme(other)} aria-label={t(`menu.${other}`)}>
        {other === "dark" ? <DarkModeIcon /> : <LightModeIcon />}
      </IconButton>
      <IconButton component={Link} to="/account" aria-label={account}>
        <PersonIcon />
      </IconButton>
      <Button color="inherit" onClick={() => void logout({}, undefined, false)}>
        <Box sx={{ whiteSpace: "nowrap" }}>{t("menu.sign_out")}</Box>
      </Button>
    </>
  );
}
