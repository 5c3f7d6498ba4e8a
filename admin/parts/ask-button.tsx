import { Button } from "@mui/material";
import { useState, type ComponentProps } from "react";
import { Ask } from "./ask";

type Props = Omit<ComponentProps<typeof Ask>, "onClose"> & { readonly size?: "small" };

/** A button whose deed is asked about first. */
export function AskButton({ size, ...asked }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        color={asked.isFinal ? "error" : "primary"}
        onClick={() => setOpen(true)}
        {...(size && { size })}
      >
        {asked.label}
      </Button>
      {isOpen && <Ask {...asked} onClose={() => setOpen(false)} />}
    </>
  );
}
