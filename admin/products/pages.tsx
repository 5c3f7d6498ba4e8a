import { BooleanInput, required, TextInput } from "react-admin";
import { useFormContext } from "react-hook-form";
import { History } from "../history/history";
import { AskButton } from "../parts/ask";
import { BulkAction } from "../parts/bulk";
import { EditForm } from "../parts/edit";
import { ChoiceCondition, choicesOf, PickerCondition, TextCondition } from "../parts/filters";
import { CategoryInput, CreatePage, PriceInput } from "../parts/form";
import { amount, time } from "../parts/format";
import { ListPage, type Column } from "../parts/list";
import { ExportButton } from "../parts/menus";
import { listOf, Section, SmallTable, To } from "../parts/page";
import { t } from "../texts";
import { productFilter, products, withdrawPrice, type Product, type WholeProduct } from "./source";

const columns: readonly Column<Product>[] = [
  { key: "name", sorts: true },
  { key: "categoryId", render: ({ category }) => category.name },
  { key: "price", sorts: true, kind: "amount" },
  { key: "isActive", render: ({ isActive }) => t(`products.${isActive ? "on" : "off"}`) },
  { key: "createdAt", sorts: true, kind: "time", isExtra: true },
  { key: "updatedAt", kind: "time" },
];

const nameOf = ({ name }: { readonly name: string }): string => name;

export const list = () => (
  <ListPage<Product>
    {...{ columns, nameOf, canCreate: true }}
    filters={
      <>
        <TextCondition name="search" label={t("ra.action.search")} />
        <ChoiceCondition
          {...{ name: "sale", label: t("field.isActive"), isSingle: true }}
          choices={choicesOf("products", ["on", "off"])}
        />
        <PickerCondition name="category" kind="categories" label={t("field.categoryId")} />
        <TextCondition name="least" kind="price" label={t("products.least")} />
        <TextCondition name="most" kind="price" label={t("products.most")} />
      </>
    }
    actions={<ExportButton kind="products" conditionsOf={productFilter} />}
    bulk={
      <>
        <Turn isActive />
        <Turn isActive={false} />
      </>
    }
  />
);

/** Puts all that are selected on sale, or takes them off it, after a question with the first few names. */
const Turn = ({ isActive }: { readonly isActive: boolean }) => (
  <BulkAction<Product>
    {...{ nameOf, text: isActive ? "products.put_on" : "products.take_off" }}
    about={(all) => all.slice(0, 10).map(nameOf).join(", ")}
    act={({ id, version }) => products.change(id, { isActive }, version)}
  />
);

const EMPTY = { name: "", slug: "", price: "", description: "", categoryId: null, isActive: true };

export const create = () => (
  <CreatePage defaults={EMPTY}>
    <NameInput />
    <PriceInput />
    <Fields />
  </CreatePage>
);

export const edit = () => (
  <EditForm<WholeProduct>
    {...{ nameOf, subject: "PRODUCT" }}
    form={
      <>
        {/* The price comes first, as it is what changes most. */}
        <PriceInput autoFocus />
        <TextInput source="name" validate={required()} helperText={false} />
        <Fields />
      </>
    }
  >
    {(product) => "prices" in product && <Facts product={product} />}
  </EditForm>
);

const Fields = () => (
  <>
    <CategoryInput />
    <BooleanInput source="isActive" helperText={false} />
    <TextInput source="slug" helperText={false} />
    <TextInput source="description" multiline minRows={3} helperText={false} />
  </>
);

/** The name of something new, which its address follows until that is typed. */
export function NameInput() {
  const { setValue, getFieldState, formState } = useFormContext();
  const follow = ({ target }: { target: { value: string } }): void => {
    if (!getFieldState("slug", formState).isTouched) setValue("slug", slugOf(target.value));
  };
  return (
    <TextInput source="name" autoFocus validate={required()} helperText={false} onChange={follow} />
  );
}

/** The address that a name makes; empty where the service has to transliterate it. */
function slugOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.split(/[^a-z0-9]/).filter((word) => word !== "");
  return /^[\x20-\x7e]*$/.test(plain) ? words.join("-").slice(0, 120) : "";
}

function Facts({ product }: { readonly product: WholeProduct }) {
  const { id, name, isActive, price, lowestPriceBefore, category, slug, version } = product;
  const lowest = lowestPriceBefore === null ? null : amount(lowestPriceBefore);
  return (
    <>
      <Section title={t("products.in_shop")}>
        <div>{isActive ? `${name}, ${amount(price)}` : t("products.not_in_shop")}</div>
        <div>{`${category.slug}/${slug}`}</div>
        {lowest && <div>{t("products.lowest_before", { price: lowest })}</div>}
        <To to={listOf("orders", { product: id })}>{t("products.orders")}</To>
      </Section>
      <Section title={t("products.prices")}>
        <SmallTable
          label={t("products.prices")}
          headings={["field.price", "period.from", "products.until", "products.note"]}
          rows={product.prices.map((entry) => [
            ...[amount(entry.price), time(entry.from), time(entry.until) || t("products.now")],
            <Note key="note" {...{ product, entry }} />,
          ])}
        />
      </Section>
      <History subject="PRODUCT" {...{ id, version }} />
    </>
  );
}

type Price = WholeProduct["prices"][number];

/** A price that was a mistake can be taken out of the lowest price before. */
function Note({ product, entry }: { readonly product: WholeProduct; readonly entry: Price }) {
  const { price, from, until, isWithdrawn } = entry;
  if (isWithdrawn) return t("products.withdrawn");
  if (until === null) return null;
  return (
    <AskButton
      {...{ size: "small", label: t("products.withdraw"), done: "products.withdrawn_now" }}
      title={t("products.withdraw_title", { price: amount(price) })}
      act={() => withdrawPrice(product, from)}
    >
      {t("products.withdraw_text")}
    </AskButton>
  );
}
