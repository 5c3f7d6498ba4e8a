import { useTranslate } from "react-admin";
import { PERIODS } from "../parts/format";
import { Choice, FilterBar, TextCondition, useConditions } from "../parts/filters";
import { ProductPicker } from "../products/picker";
import { isDay, STATUSES, type OrderConditions } from "./source";

/** The conditions of the list of orders: one click each, where they have a name. */
export function OrderFilters() {
  const translate = useTranslate();
  const { conditions, set } = useConditions<OrderConditions>();
  const { statuses = [], placed, from, to, customer, email, product } = conditions;
  const noDate = (text: string) => (isDay(text) ? undefined : "shop.list.no_date");
  return (
    <FilterBar>
      <Choice
        label={translate("resources.orders.fields.status")}
        choices={STATUSES.map((value) => ({
          value,
          name: translate(`shop.orders.status.${value}`),
        }))}
        value={statuses}
        onChange={(next) => set({ statuses: next.length > 0 ? next : undefined })}
      />
      <Choice
        isSingle
        label={translate("resources.orders.fields.createdAt")}
        choices={[...PERIODS, "days" as const].map((value) => ({
          value,
          name: translate(`shop.period.${value}`),
        }))}
        value={placed ? [placed] : []}
        onChange={([next]) => set({ placed: next, from: undefined, to: undefined })}
      />
      {placed === "days" && (
        <>
          <TextCondition
            {...{ type: "date", width: 160, faultOf: noDate, value: from }}
            label={translate("shop.period.from")}
            onChange={(next) => set({ from: next })}
          />
          <TextCondition
            {...{ type: "date", width: 160, faultOf: noDate, value: to }}
            label={translate("shop.period.to")}
            onChange={(next) => set({ to: next })}
          />
        </>
      )}
      <TextCondition
        type="search"
        label={translate("shop.orders.customer")}
        value={email ?? customer}
        faultOf={(text) => (text.length < 3 ? "shop.list.three_letters" : undefined)}
        onChange={(next) => set({ customer: next, email: undefined })}
      />
      <ProductPicker value={product} onChange={(next) => set({ product: next ?? undefined })} />
    </FilterBar>
  );
}
