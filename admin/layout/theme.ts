import type { RaThemeOptions } from "react-admin";

/** Every text has a contrast of 4.5 or more with what is behind it. */
const theme = (
  mode: "light" | "dark",
  main: string,
  error: string,
  background: object,
): RaThemeOptions => ({
  palette: { mode, primary: { main }, secondary: { main }, error: { main: error }, background },
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
    MuiToggleButton: { styleOverrides: { root: { color: "inherit", textTransform: "none" } } },
    MuiTable: { styleOverrides: { root: { fontVariantNumeric: "tabular-nums" } } },
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiCssBaseline: {
      styleOverrides: {
        ":focus-visible": { outline: "2px solid currentColor", outlineOffset: 2 },
        "h1:focus-visible": { outline: "none" },
      },
    },
  },
});

export const lightTheme = theme("light", "#1f5f43", "#b3261e", { default: "#f6f7f5" });
export const darkTheme = theme("dark", "#8fd6b3", "#ffb4ab", {
  ...{ default: "#121512", paper: "#1b1f1b" },
});
