import { Box, Typography } from "@mui/material";
import type { ReactNode } from "react";

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** A page outside of the app: a heading and a form. */
export const Front = ({ title, children }: Props) => (
  <Box component="main" sx={{ display: "grid", placeContent: "center", minHeight: "100vh", p: 2 }}>
    <Typography component="h1" variant="h1" gutterBottom>
      {title}
    </Typography>
    {children}
  </Box>
);
