import { Autocomplete, TextField } from "@mui/material";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslate } from "react-admin";

/** What is picked from: something with an id and a name. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

interface Props {
  readonly label: string;
  readonly value: number | null | undefined;
  readonly onChange: (id: number | null) => void;
  /** Names this kind of thing in the cache. */
  readonly kind: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Named[]>;
  readonly one: (id: number) => Promise<Named | null>;
  readonly fault?: string | undefined;
  readonly width?: number | string;
  readonly isRequired?: boolean;
}

/** Picks one of many things by a part of its name. What is highlighted is taken when the field is left. */
export function Picker({
  label,
  value,
  onChange,
  kind,
  find,
  one,
  fault,
  width = 220,
  isRequired,
}: Props) {
  const translate = useTranslate();
  const [text, setText] = useState("");
  const id = value ?? null;
  const { data: options = [], isFetching } = useQuery({
    queryKey: ["picker", kind, text],
    queryFn: ({ signal }) => find(text, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const { data: chosen = null } = useQuery({
    queryKey: ["picker", kind, "one", id],
    queryFn: () => (id === null ? null : one(id)),
    staleTime: 60_000,
  });
  const known = options.find((option) => option.id === id) ?? (chosen?.id === id ? chosen : null);
  return (
    <Autocomplete<Named>
      options={options}
      value={known}
      loading={isFetching}
      onChange={(_event, option) => onChange(option?.id ?? null)}
      onInputChange={(_event, input, reason) => setText(reason === "input" ? input : "")}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id: key }) => key}
      isOptionEqualToValue={(option, other) => option.id === other.id}
      filterOptions={(all) => all}
      autoHighlight
      autoSelect={text !== ""}
      size="small"
      sx={{ width }}
      noOptionsText={translate("shop.list.nothing")}
      loadingText={translate("shop.list.loading")}
      openText={translate("ra.action.open")}
      closeText={translate("ra.action.close")}
      clearText={translate("ra.action.clear_input_value")}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          required={isRequired}
          error={fault !== undefined}
          helperText={fault}
        />
      )}
    />
  );
}
