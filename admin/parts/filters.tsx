import { Box, TextField, ToggleButton, ToggleButtonGroup } from "@mui/material";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useListContext, useTranslate } from "react-admin";

/** The conditions of the list around it: the present ones, and a way to set some; undefined takes one away. */
export function useConditions<Conditions extends object>() {
  const { filterValues, setFilters } = useListContext();
  const set = (changes: Partial<Record<keyof Conditions, unknown>>): void => {
    const next = Object.entries({ ...filterValues, ...changes });
    setFilters(
      Object.fromEntries(next.filter(([, value]) => value !== undefined && value !== "")),
      undefined,
      false,
    );
  };
  return { conditions: filterValues as Conditions, set };
}

export const FilterBar = ({ children }: { readonly children: ReactNode }) => (
  <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "flex-start", mb: 1.5 }}>
    {children}
  </Box>
);

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly name: string }[];
  readonly value: readonly Value[];
  readonly isSingle?: boolean;
  readonly onChange: (value: Value[]) => void;
}

/** Buttons that stay down: one click each, several at once unless `isSingle`. */
export const Choice = <Value extends string>(props: ChoiceProps<Value>) => {
  const { label, choices, value, isSingle = false, onChange } = props;
  return (
    <ToggleButtonGroup
      size="small"
      aria-label={label}
      exclusive={isSingle}
      value={isSingle ? (value[0] ?? null) : value}
      onChange={(_event, next: Value | Value[] | null) =>
        onChange(next === null ? [] : ([next].flat() as Value[]))
      }
      sx={{ flexWrap: "wrap" }}
    >
      {choices.map(({ value: each, name }) => (
        <ToggleButton
          key={each}
          value={each}
          sx={{ textTransform: "none", px: 1.25, color: "text.primary" }}
        >
          {name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
};

interface TextProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly type?: "text" | "search" | "date";
  readonly onChange: (value: string | undefined) => void;
  /** The key of what is wrong with a text; such a text is not used. */
  readonly faultOf?: (text: string) => string | undefined;
  readonly width?: number;
}

/** Milliseconds without typing after which the list follows. */
const PAUSE = 300;

/** A condition that is typed. What can't be used is told at the field, never ignored. */
export function TextCondition({
  label,
  value = "",
  type = "text",
  onChange,
  faultOf,
  width = 190,
}: TextProps) {
  const translate = useTranslate();
  const [text, setText] = useState(value);
  const [isPart, setPart] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  // The address may change by itself: "back", a saved view.
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  const fault = isPart ? "shop.list.half_date" : text === "" ? undefined : faultOf?.(text);
  useEffect(() => {
    if (text === sent.current || fault !== undefined) return;
    const timer = setTimeout(
      () => {
        sent.current = text;
        onChange(text === "" ? undefined : text);
      },
      type === "date" ? 0 : PAUSE,
    );
    return () => clearTimeout(timer);
  });
  const look = (): void => setPart(input.current?.validity.badInput ?? false);
  return (
    <TextField
      {...{ label, type }}
      value={text}
      error={fault !== undefined}
      helperText={fault && translate(fault)}
      onChange={(event) => {
        setText(event.target.value);
        look();
      }}
      onBlur={look}
      inputRef={input}
      sx={{ width }}
      slotProps={{ inputLabel: type === "date" ? { shrink: true } : {} }}
    />
  );
}
