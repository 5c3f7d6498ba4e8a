import { Typography } from "@mui/material";
import { useEffect, useRef } from "react";
import { useTranslate } from "react-admin";
import { useLocation } from "react-router-dom";

/** The heading of a page: it names the tab, and has the focus when the page is opened, so that it is read first. */
export function PageTitle({ children }: { readonly children: string }) {
  const translate = useTranslate();
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${children} – ${translate("shop.title")}`;
  }, [children, translate]);
  useEffect(() => {
    const { activeElement } = document;
    if (!activeElement?.closest("input, textarea, [role=dialog]")) heading.current?.focus();
  }, [pathname]);
  return (
    <Typography
      ref={heading}
      component="h1"
      variant="h1"
      tabIndex={-1}
      sx={{ "&&": { outline: "none" } }}
    >
      {children}
    </Typography>
  );
}
