import { Alert, Stack } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Section } from "../parts/page";
import { t } from "../texts";

interface Props<Thing> {
  /** Of its texts, and of what is kept of it while the page is open. */
  readonly name: string;
  readonly read: () => Promise<Thing>;
  readonly children: (thing: Thing) => ReactNode;
}

/** A part of the account that is read from the service. */
export function Part<Thing>({ name, read, children }: Props<Thing>) {
  const { data, error } = useQuery({ queryKey: ["account", name], queryFn: read });
  return (
    <Section title={t(`${name}.title`)}>
      <Stack spacing={1.5}>
        {error && <Alert severity="error">{error.message}</Alert>}
        {!error && data !== undefined && children(data)}
      </Stack>
    </Section>
  );
}
