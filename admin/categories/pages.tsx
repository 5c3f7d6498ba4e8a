import { Box, Link as MuiLink } from "@mui/material";
import { BooleanInput, required, TextInput, useRecordContext, useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import { History } from "../history/history";
import { CreatePage } from "../parts/create-page";
import { EditForm } from "../parts/edit-form";
import { PageHead } from "../parts/page-head";
import { NameInput } from "../products/form";
import type { WholeCategory } from "./source";

export function CategoryCreate() {
  return (
    <CreatePage
      defaults={{ name: "", slug: "", isActive: true }}
      transform={({ slug, ...others }) => ({ ...others, ...(slug !== "" && { slug }) })}
    >
      <NameInput />
      <TextInput source="slug" helperText={false} />
      <BooleanInput source="isActive" helperText={false} />
    </CreatePage>
  );
}

export function CategoryEdit() {
  return (
    <EditForm
      subject="CATEGORY"
      fields={["name", "slug", "isActive"]}
      head={<PageHead />}
      form={
        <>
          <TextInput source="name" autoFocus validate={required()} helperText={false} />
          <TextInput source="slug" helperText={false} />
          <BooleanInput source="isActive" helperText={false} />
        </>
      }
    >
      <CategoryFacts />
    </EditForm>
  );
}

function CategoryFacts() {
  const translate = useTranslate();
  const category = useRecordContext<WholeCategory>();
  if (!category) return null;
  const filter = encodeURIComponent(JSON.stringify({ category: category.id }));
  return (
    <Box sx={{ display: "grid", gap: 3, mt: 3, maxWidth: 900 }}>
      <MuiLink component={Link} to={`/products?filter=${filter}`}>
        {translate("shop.categories.products", { smart_count: category.products.meta.total })}
      </MuiLink>
      <History subject="CATEGORY" id={category.id} version={category.version} />
    </Box>
  );
}
