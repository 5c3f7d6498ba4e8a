import { Paper } from "@mui/material";
import { useEffect, type FocusEvent, type ReactNode } from "react";
import { CreateBase, Form, required, SaveButton, TextInput, useInput } from "react-admin";
import { useNotify, useRedirect, useResourceContext, type FormProps } from "react-admin";
import { useFormContext, useFormState } from "react-hook-form";
import type { Named } from "../api/data-provider";
import { t } from "../texts";
import { Picker } from "./filters";
import { priceIn } from "./format";
import { PageHead } from "./page";

export const FormCard = ({ children, ...props }: FormProps & { readonly children: ReactNode }) => (
  <Form warnWhenUnsavedChanges disableInvalidFormNotification noValidate {...props}>
    <Paper variant="outlined" sx={{ p: 2, display: "grid", gap: 2, maxWidth: 640 }}>
      {children}
      <FocusOnFault />
      <SaveButton alwaysEnable icon={<></>} sx={{ justifySelf: "start" }} />
    </Paper>
  </Form>
);

/** Puts the focus on the first field that is refused, with its text selected. */
function FocusOnFault() {
  const { control } = useFormContext();
  const { submitCount, errors, isSubmitting } = useFormState({ control });
  const isRefused = Object.keys(errors).length > 0 && !isSubmitting;
  useEffect(() => {
    if (!isRefused) return;
    const field = document.querySelector<HTMLInputElement>("main form [aria-invalid=true]");
    field?.focus();
    field?.select();
  }, [isRefused, submitCount]);
  return null;
}

type CreateProps = Readonly<{ defaults: object; readonly children: ReactNode }>;

const withoutEmpty = ({ slug, ...others }: Record<string, unknown>) =>
  slug === "" ? others : { ...others, slug };

/** A form for something new; its page is opened when it is there. */
export function CreatePage({ defaults, children }: CreateProps) {
  const notify = useNotify();
  const redirect = useRedirect();
  const resource = useResourceContext() ?? "";
  const onSuccess = ({ id, name }: Named): void => {
    notify(t("action.created", { name }), { type: "success" });
    redirect("edit", resource, id);
  };
  return (
    <CreateBase disableAuthentication transform={withoutEmpty} mutationOptions={{ onSuccess }}>
      <PageHead title={t(`${resource}.new`)} />
      <FormCard defaultValues={defaults}>{children}</FormCard>
    </CreateBase>
  );
}

const isPrice = (value: unknown) =>
  priceIn(String(value)) === undefined ? "list.no_price" : undefined;

export const PriceInput = ({ autoFocus = false }: { readonly autoFocus?: boolean }) => (
  <TextInput
    {...{ source: "price", autoFocus, validate: [required(), isPrice], helperText: false }}
    onFocus={(event: FocusEvent<HTMLInputElement>) => event.target.select()}
    slotProps={{ htmlInput: { inputMode: "decimal" } }}
    sx={{ width: 160 }}
  />
);

export function CategoryInput() {
  const source = "categoryId";
  const { field, fieldState } = useInput({ source, validate: required("reasons.REQUIRED") });
  const fault = fieldState.error?.message?.replace(/^@@react-admin@@"(.*)"$/, "$1");
  const { value, onChange } = field;
  return (
    <Picker
      {...{ value, onChange, label: t("field.categoryId"), fault: fault && t(fault) }}
      {...{ kind: "categories", width: "100%" }}
    />
  );
}
