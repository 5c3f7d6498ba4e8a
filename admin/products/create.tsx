import { CreatePage } from "../parts/create-page";
import { priceIn } from "../parts/format";
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
      transform={({ slug, price, ...others }) => ({
        ...others,
        price: priceIn(price as string),
        ...(slug !== "" && { slug }),
      })}
    >
      <ProductFields isNew />
    </CreatePage>
  );
}
