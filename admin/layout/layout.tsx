import MenuIcon from "@mui/icons-material/Menu";
import { AppBar, Box, Drawer, IconButton, Toolbar, Typography, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { Loading, SkipNavigationButton, useLogout, useTranslate } from "react-admin";
import { Link, useLocation } from "react-router-dom";
import { SearchEverything } from "../search/search-everything";
import { SignInAgain } from "../session/sign-in-again";
import { session } from "../session/session";
import { AccountMenu } from "./account-menu";
import { Navigation } from "./navigation";

/** The way home; the bar of a phone has no room for it. */
const HOME = {
  display: { xs: "none", sm: "block" },
  ...{ fontWeight: 600, color: "inherit", textDecoration: "none", whiteSpace: "nowrap" },
};

/** What is around every page: the bar, the navigation, and the dialog that asks for the password again. */
export function Layout({ children }: { readonly children?: ReactNode }) {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const isWide = useMediaQuery((theme: Theme) => theme.breakpoints.up("md"));
  const [isOpen, setOpen] = useState(false);
  useSignOutElsewhere();
  useEffect(() => setOpen(false), [pathname]);

  return (
    <Box sx={{ display: "flex", flexDirection: "column", minHeight: "100vh" }}>
      <SkipNavigationButton />
      <AppBar
        position="sticky"
        elevation={0}
        sx={{
          bgcolor: "background.paper",
          color: "text.primary",
          borderBottom: 1,
          borderColor: "divider",
        }}
      >
        <Toolbar variant="dense" sx={{ gap: 1 }}>
          {!isWide && (
            <IconButton
              onClick={() => setOpen(true)}
              aria-label={translate("shop.menu.open")}
              edge="start"
            >
              <MenuIcon />
            </IconButton>
          )}
          <Typography component={Link} to="/" sx={HOME}>
            {translate("shop.title")}
          </Typography>
          <SearchEverything />
          <Box sx={{ flex: 1, display: { xs: "none", md: "block" } }} />
          <AccountMenu />
        </Toolbar>
      </AppBar>
      <Box sx={{ display: "flex", flex: 1, minWidth: 0 }}>
        {isWide ? (
          <Box sx={{ width: 190, flex: "none", borderRight: 1, borderColor: "divider" }}>
            <Navigation />
          </Box>
        ) : (
          <Drawer open={isOpen} onClose={() => setOpen(false)}>
            <Navigation />
          </Drawer>
        )}
        <Box
          component="main"
          id="main-content"
          tabIndex={-1}
          sx={{ flex: 1, minWidth: 0, p: { xs: 1.5, md: 3 }, outline: "none" }}
        >
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </Box>
      </Box>
      <SignInAgain />
    </Box>
  );
}

/** Leaves the page when somebody signs out in another tab. */
function useSignOutElsewhere(): void {
  const logout = useLogout();
  useEffect(() => {
    const look = (): void => {
      if (session.phase === "signed-out") void logout();
    };
    session.addEventListener("change", look);
    return () => session.removeEventListener("change", look);
  }, [logout]);
}
