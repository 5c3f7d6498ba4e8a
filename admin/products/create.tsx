import { CreatePage } from "../parts/create-page";
import { ProductFields } from "./form";

export default function ProductCreate() {
  return (
    <CreatePage
      defaults={{
        name: "",
        slug: "",
        price: "",
        description: "",
        categoryId: null,
        isActive: true,
      }}
      transform={({ slug, ...others }) => ({ ...others, ...(slug !== "" && { slug }) })}
    >
      <ProductFields isNew />
    </CreatePage>
  );
}
