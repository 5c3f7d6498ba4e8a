import { TextField } from "@mui/material";
import { useEffect } from "react";
import { useInput, useTranslate, useTranslateLabel } from "react-admin";
import { useFormContext, useFormState } from "react-hook-form";
import { categories, findCategories } from "../categories/source";
import { priceIn } from "./format";
import { Picker } from "./picker";

/** What is wrong with a field, as it is shown. */
function useFault(error: { message?: string } | undefined): string | undefined {
  const translate = useTranslate();
  const message = error?.message?.replace(/^@@react-admin@@"(.*)"$/, "$1");
  return message === undefined ? undefined : translate(message, { _: message });
}

/** A price with a comma or a point; the form holds what the service takes. */
export function PriceInput({ source, autoFocus }: { source: string; autoFocus?: boolean }) {
  const label = useTranslateLabel()({ source }) as string;
  const { field, fieldState } = useInput({
    source,
    validate: (value: unknown) =>
      typeof value === "string" && priceIn(value) !== undefined
        ? undefined
        : "shop.products.no_price",
  });
  const fault = useFault(fieldState.error);
  return (
    <TextField
      {...field}
      value={field.value ?? ""}
      required
      label={label}
      autoFocus={autoFocus}
      onFocus={(event) => event.target.select()}
      inputRef={field.ref}
      error={fault !== undefined}
      helperText={fault}
      slotProps={{ htmlInput: { inputMode: "decimal" } }}
      sx={{ width: 160 }}
    />
  );
}

/** Picks one of the categories, however many there are. */
export function CategoryInput({ source }: { readonly source: string }) {
  const label = useTranslateLabel()({ source }) as string;
  const { field, fieldState } = useInput({
    source,
    validate: (value: unknown) => (typeof value === "number" ? undefined : "shop.reasons.REQUIRED"),
  });
  const fault = useFault(fieldState.error);
  return (
    <Picker
      {...{ label, fault }}
      kind="categories"
      isRequired
      width="100%"
      value={field.value as number | null}
      onChange={field.onChange}
      find={(text) => findCategories(text)}
      one={async (id) => (await categories.one?.(id)) ?? null}
    />
  );
}

/** Puts the focus on the first field that is refused, with its text selected. */
export function FocusOnFault() {
  const { control } = useFormContext();
  const { submitCount, errors, isSubmitting } = useFormState({ control });
  const first = Object.keys(errors).length > 0 && !isSubmitting;
  useEffect(() => {
    if (!first) return;
    const field = document.querySelector<HTMLInputElement>("main form [aria-invalid=true]");
    field?.focus();
    field?.select();
  }, [first, submitCount]);
  return null;
}
