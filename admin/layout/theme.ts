import type { RaThemeOptions } from "react-admin";

const shared: RaThemeOptions = {
  typography: {
    fontFamily: "system-ui, sans-serif",
    h1: { fontSize: "1.5rem", fontWeight: 600 },
    h2: { fontSize: "1.1rem", fontWeight: 600 },
  },
  shape: { borderRadius: 6 },
  components: {
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: { root: { textTransform: "none" } },
    },
    MuiTextField: { defaultProps: { size: "small", variant: "outlined" } },
    MuiToggleButton: { styleOverrides: { root: { color: "inherit" } } },
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiCssBaseline: {
      styleOverrides: { ":focus-visible": { outline: "2px solid currentColor", outlineOffset: 2 } },
    },
  },
};

/** Every text has a contrast of 4.5 or more with what is behind it. */
export const lightTheme: RaThemeOptions = {
  ...shared,
  palette: {
    mode: "light",
    primary: { main: "#1f5f43" },
    secondary: { main: "#1f5f43" },
    error: { main: "#b3261e" },
    background: { default: "#f6f7f5" },
  },
};

export const darkTheme: RaThemeOptions = {
  ...shared,
  palette: {
    mode: "dark",
    primary: { main: "#8fd6b3" },
    secondary: { main: "#8fd6b3" },
    error: { main: "#ffb4ab" },
    background: { default: "#121512", paper: "#1b1f1b" },
  },
};
