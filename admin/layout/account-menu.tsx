import DarkModeIcon from "@mui/icons-material/DarkModeOutlined";
import LightModeIcon from "@mui/icons-material/LightModeOutlined";
import PersonIcon from "@mui/icons-material/PersonOutlined";
import { Button, IconButton } from "@mui/material";
import { useLogout, useTheme, useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import { session } from "../session/session";

/** The theme, the account, and the way out. */
export function AccountMenu() {
  const translate = useTranslate();
  const logout = useLogout();
  const [theme, setTheme] = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return (
    <>
      <IconButton onClick={() => setTheme(other)} aria-label={translate(`shop.menu.${other}`)}>
        {other === "dark" ? <DarkModeIcon /> : <LightModeIcon />}
      </IconButton>
      <IconButton
        component={Link}
        to="/account"
        aria-label={translate("shop.menu.account", { email: session.email })}
      >
        <PersonIcon />
      </IconButton>
      <Button
        color="inherit"
        sx={{ whiteSpace: "nowrap" }}
        onClick={() => void logout({}, undefined, false)}
      >
        {translate("shop.menu.sign_out")}
      </Button>
    </>
  );
}
