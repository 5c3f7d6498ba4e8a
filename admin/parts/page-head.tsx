import { Box, Button } from "@mui/material";
import { useState, type ReactNode } from "react";
import {
  useDataProvider,
  useNotify,
  useRecordContext,
  useRedirect,
  useResourceContext,
  useTranslate,
} from "react-admin";
import { Ask } from "./ask";
import { PageTitle } from "./page-title";

/** The name of the thing whose page this is, and the way to delete it, which asks first. */
export function PageHead({ children }: { readonly children?: ReactNode }) {
  const translate = useTranslate();
  const notify = useNotify();
  const redirect = useRedirect();
  const provider = useDataProvider();
  const resource = useResourceContext() ?? "";
  const thing = useRecordContext();
  const [isAsked, setAsked] = useState(false);
  if (!thing) return null;
  const name = String(thing["name"]);
  const remove = async (): Promise<void> => {
    await provider.delete(resource, { id: thing.id, previousData: thing });
    notify("shop.action.deleted", { type: "success", messageArgs: { name } });
    redirect("list", resource);
  };
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", mb: 2 }}>
      <PageTitle>{name}</PageTitle>
      <Box sx={{ flex: 1 }} />
      {children}
      <Button color="error" onClick={() => setAsked(true)}>
        {translate("shop.action.delete")}
      </Button>
      {isAsked && (
        <Ask
          title={translate("shop.action.delete_title", { name })}
          label={translate("shop.action.delete")}
          onClose={() => setAsked(false)}
          act={remove}
        >
          {translate("shop.action.delete_text")}
        </Ask>
      )}
    </Box>
  );
}
