import { Box, Paper } from "@mui/material";
import type { ReactNode } from "react";
import {
  CreateBase,
  Form,
  SaveButton,
  useNotify,
  useRedirect,
  useResourceContext,
  useTranslate,
} from "react-admin";
import { FocusOnFault } from "./fields";
import { PageTitle } from "./page-title";

interface Props {
  readonly defaults: object;
  readonly children: ReactNode;
  /** Makes what is typed what the service takes. */
  readonly transform?: (data: Record<string, unknown>) => Record<string, unknown>;
}

/** A form for something new; its page is opened when it is there. */
export function CreatePage({ defaults, children, transform = (data) => data }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const redirect = useRedirect();
  const resource = useResourceContext() ?? "";
  return (
    <CreateBase
      disableAuthentication
      transform={transform}
      mutationOptions={{
        onSuccess: (thing: { id: number; name: string }) => {
          notify("shop.action.created", { type: "success", messageArgs: { name: thing.name } });
          redirect("edit", resource, thing.id);
        },
      }}
    >
      <PageTitle>{translate(`shop.${resource}.new`)}</PageTitle>
      <Form
        defaultValues={defaults}
        warnWhenUnsavedChanges
        disableInvalidFormNotification
        noValidate
      >
        <Paper variant="outlined" sx={{ p: 2, mt: 2, display: "grid", gap: 2, maxWidth: 640 }}>
          {children}
          <FocusOnFault />
          <Box>
            <SaveButton alwaysEnable icon={<></>} />
          </Box>
        </Paper>
      </Form>
    </CreateBase>
  );
}
