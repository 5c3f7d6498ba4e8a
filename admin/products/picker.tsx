import { useTranslate } from "react-admin";
import { Picker } from "../parts/picker";
import { findProducts, products } from "./source";

interface Props {
  readonly value: number | undefined;
  readonly onChange: (id: number | null) => void;
}

/** Picks a product by a part of its name. */
export function ProductPicker(props: Props) {
  const translate = useTranslate();
  return (
    <Picker
      {...props}
      kind="products"
      label={translate("shop.orders.product")}
      find={findProducts}
      one={async (id) => (await products.one?.(id)) ?? null}
    />
  );
}
