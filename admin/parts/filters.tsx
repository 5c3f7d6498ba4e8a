import { Autocomplete, Chip, TextField, ToggleButton, ToggleButtonGroup } from "@mui/material";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useListContext } from "react-admin";
import type { Named } from "../api/data-provider";
import { categories, findCategories } from "../categories/source";
import { findProducts, products } from "../products/source";
import { t } from "../texts";
import { isDay, priceIn } from "./format";

/** One condition of the list around it, and a way to set it; nothing takes it away. */
export function useCondition<Value>(name: string) {
  const { filterValues, setFilters } = useListContext();
  const set = (value: unknown, others: object = {}): void => {
    const isNone = value === null || value === "" || (Array.isArray(value) && value.length === 0);
    const next = { ...filterValues, ...others, [name]: isNone ? undefined : value };
    setFilters(JSON.parse(JSON.stringify(next)), undefined, false);
  };
  return [filterValues[name] as Value | undefined, set] as const;
}

interface ChoiceProps {
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  readonly value: readonly string[];
  readonly isSingle?: boolean;
  readonly onChange: (value: string[]) => void;
}

/** Buttons that stay down: one click each, several at once unless `isSingle`. */
export const Choice = ({ label, choices, value, isSingle = false, onChange }: ChoiceProps) => (
  <ToggleButtonGroup
    {...{ size: "small", "aria-label": label, exclusive: isSingle, sx: { flexWrap: "wrap" } }}
    value={isSingle ? (value[0] ?? null) : value}
    onChange={(_event, next: string | string[] | null) => onChange([next ?? []].flat())}
  >
    {choices.map(({ value: each, name }) => (
      <ToggleButton key={each} value={each} sx={{ px: 1.25, color: "text.primary" }}>
        {name}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);

export const choicesOf = (key: string, values: readonly string[]) =>
  values.map((value) => ({ value, name: t(`${key}.${value}`) }));

export function ChoiceCondition(props: Omit<ChoiceProps, "value" | "onChange"> & { name: string }) {
  const [value = [], set] = useCondition<string | string[]>(props.name);
  const change = (next: string[]): void => set(props.isSingle ? (next[0] ?? null) : next);
  return <Choice {...props} value={[value].flat()} onChange={change} />;
}

/** What is wrong with a text of a kind, as a key; undefined if nothing is. */
const FAULTS = {
  search: () => undefined,
  part: (text: string) => (text.trim().length < 3 ? "list.three_letters" : undefined),
  date: (text: string) => (isDay(text) ? undefined : "list.no_date"),
  price: (text: string) => (priceIn(text) === undefined ? "list.no_price" : undefined),
  number: (text: string) => (/^[1-9][0-9]{0,8}$/.test(text) ? undefined : "list.no_number"),
};

type TextProps = Readonly<Record<"name" | "label", string>> & { kind?: keyof typeof FAULTS };
const PAUSE = 300;

/** A condition that is typed. What can't be used is said at the field, never ignored. */
export function TextCondition({ name, label, kind = "search" }: TextProps) {
  const [value = "", set] = useCondition<string>(name);
  const [text, setText] = useState(value);
  const [isPart, setPart] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  const isDate = kind === "date";
  // The address may change by itself: "back", a saved view.
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  const fault = isPart ? "list.half_date" : text === "" ? undefined : FAULTS[kind](text);
  useEffect(() => {
    if (text === sent.current || fault !== undefined) return;
    const follow = (): void => set((sent.current = text));
    const timer = setTimeout(follow, isDate ? 0 : PAUSE);
    return () => clearTimeout(timer);
  });
  const look = (): void => setPart(input.current?.validity.badInput ?? false);
  return (
    <TextField
      {...{ label, value: text, onBlur: look, inputRef: input, error: fault !== undefined }}
      type={isDate ? "date" : "search"}
      helperText={fault && t(fault)}
      onChange={({ target }) => {
        setText(target.value);
        look();
      }}
      sx={{ width: kind === "price" || kind === "number" ? 130 : 190 }}
      slotProps={{ inputLabel: isDate ? { shrink: true } : {} }}
    />
  );
}

export const DaysCondition = () => (
  <>
    <TextCondition name="from" kind="date" label={t("period.from")} />
    <TextCondition name="to" kind="date" label={t("period.to")} />
  </>
);

/** A condition that a link has set, shown so that it can be taken away. */
export function ChipCondition({ name }: { readonly name: string }) {
  const [value, set] = useCondition<string>(name);
  return value === undefined ? null : <Chip label={value} onDelete={() => set(null)} />;
}

const KINDS = {
  products: { find: findProducts, one: products.one },
  categories: { find: findCategories, one: categories.one },
};

interface PickerProps {
  readonly kind: keyof typeof KINDS;
  readonly label: string;
  readonly value: number | null | undefined;
  readonly onChange: (id: number | null) => void;
  readonly fault?: string | undefined;
  readonly width?: string;
}

/** Picks one of many things by a part of its name. What is highlighted is taken when the field is left. */
export function Picker({ kind, label, value, onChange, fault, width = "220px" }: PickerProps) {
  const { find, one } = KINDS[kind];
  const [text, setText] = useState("");
  const id = value ?? null;
  const { data: options = [], isFetching: loading } = useQuery<readonly Named[]>({
    queryKey: ["picker", kind, text],
    queryFn: ({ signal }) => find(text, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const { data: chosen = null } = useQuery<Named | null | undefined>({
    queryKey: ["picker", kind, "one", id],
    queryFn: () => (id === null ? null : one(id)),
    staleTime: 60_000,
  });
  return (
    <Autocomplete<Named>
      {...{ options, loading, autoHighlight: true, size: "small", sx: { width } }}
      value={options.find((option) => option.id === id) ?? (chosen?.id === id ? chosen : null)}
      onChange={(_event, option) => onChange(option?.id ?? null)}
      onInputChange={(_event, input, reason) => setText(reason === "input" ? input : "")}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id: key }) => key}
      isOptionEqualToValue={(option, other) => option.id === other.id}
      filterOptions={(all) => all}
      {...{ noOptionsText: t("list.nothing"), loadingText: t("ra.page.loading") }}
      {...{ openText: t("ra.action.open"), closeText: t("ra.action.close") }}
      {...{ clearText: t("ra.action.clear_input_value"), autoSelect: text !== "" }}
      renderInput={(params) => (
        <TextField {...params} {...{ label, helperText: fault, error: fault !== undefined }} />
      )}
    />
  );
}

export function PickerCondition(props: Omit<PickerProps, "value" | "onChange"> & { name: string }) {
  const [value, set] = useCondition<number>(props.name);
  return <Picker {...props} value={value} onChange={(id) => set(id)} />;
}
