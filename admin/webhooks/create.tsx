import { Box, Paper } from "@mui/material";
import { useState } from "react";
import { Form, HttpError, SaveButton, useNotify, useRedirect, useTranslate } from "react-admin";
import { problemOf } from "../api/problem";
import { FocusOnFault } from "../parts/fields";
import { PageTitle } from "../parts/page-title";
import { EndpointFields } from "./fields";
import { Secret } from "./secret";
import { createEndpoint } from "./source";

const EMPTY = { url: "", description: "", types: [], includeLookup: false };

/** Creates an endpoint, and shows its secret, which is not kept anywhere. */
export default function EndpointCreate() {
  const translate = useTranslate();
  const redirect = useRedirect();
  const notify = useNotify();
  const [created, setCreated] = useState<{ readonly id: number; readonly secret: string }>();
  const save = async (fields: object): Promise<unknown> => {
    try {
      setCreated(await createEndpoint(fields as typeof EMPTY));
      return undefined;
    } catch (fault) {
      const problem = problemOf(fault);
      notify(problem.message, { type: "error" });
      return problem instanceof HttpError ? (problem.body as { errors?: unknown }).errors : {};
    }
  };
  return (
    <>
      <PageTitle>{translate("shop.webhooks.create")}</PageTitle>
      <Form defaultValues={EMPTY} onSubmit={save} noValidate>
        <Paper variant="outlined" sx={{ p: 2, mt: 2, display: "grid", gap: 2, maxWidth: 640 }}>
          <EndpointFields />
          <FocusOnFault />
          <Box>
            <SaveButton alwaysEnable icon={<></>} />
          </Box>
        </Paper>
      </Form>
      {created && (
        <Secret secret={created.secret} onClose={() => redirect("edit", "webhooks", created.id)} />
      )}
    </>
  );
}
