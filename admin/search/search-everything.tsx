import { Autocomplete, TextField } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslate } from "react-admin";
import { useNavigate } from "react-router-dom";
import { pages } from "../layout/navigation";
import { amount } from "../parts/format";
import { search, type Found } from "./find";

/** Milliseconds without typing after which the service is asked. */
const PAUSE = 150;

/** Finds orders, products, categories, customers and pages; `/` and Ctrl+K lead to it from everywhere. */
export function SearchEverything() {
  const translate = useTranslate();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const asked = useLater(text.trim());
  /** Whether Enter was pressed before anything was found. */
  const isHasty = useRef(false);
  const { data = [], isFetching } = useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) => search(asked, signal),
    enabled: asked !== "",
  });
  const word = asked.toLowerCase();
  const found: Found[] = [
    ...pages
      .map(({ path, name }) => ({
        ...{ kind: "pages", key: path, to: path },
        name: translate(name, { smart_count: 2 }),
      }))
      .filter(({ name }) => word !== "" && name.toLowerCase().includes(word)),
    ...data,
  ].map((each) => ({ ...each, ...("sum" in each && each.sum && { detail: amount(each.sum) }) }));
  const isDone = asked === text.trim() && !isFetching;
  const open = ({ to }: Found): void => {
    isHasty.current = false;
    setText("");
    input.current?.blur();
    void navigate(to);
  };
  useEffect(() => {
    const [first] = found;
    if (isDone && isHasty.current && asked !== "") {
      isHasty.current = false;
      if (first) open(first);
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      const isTyping = target.matches("input, textarea, select, [contenteditable]");
      const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isPalette && (event.key !== "/" || isTyping)) return;
      if (document.querySelector("[role=dialog]")) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);

  return (
    <Autocomplete<Found, false, false, true>
      freeSolo
      autoHighlight
      clearOnEscape
      options={isDone ? found : []}
      value={null}
      inputValue={text}
      filterOptions={(all) => all}
      getOptionLabel={(option) => (typeof option === "string" ? option : option.name)}
      getOptionKey={(option) =>
        typeof option === "string" ? option : `${option.kind}${option.key}`
      }
      onInputChange={(_event, next, reason) => reason !== "reset" && setText(next)}
      onChange={(_event, option) => {
        if (option === null) return;
        if (typeof option !== "string") open(option);
        else isHasty.current = true;
      }}
      renderOption={({ key: _key, ...props }, { kind, key, name, detail }) => (
        <li {...props} key={`${kind}${key}`}>
          {[name, detail, translate(`shop.search.${kind}`)].filter(Boolean).join(" · ")}
        </li>
      )}
      clearText={translate("ra.action.clear_input_value")}
      sx={{ flex: 1, maxWidth: 420, minWidth: 60 }}
      renderInput={(params) => (
        <TextField
          {...params}
          inputRef={input}
          placeholder={translate("shop.search.title")}
          slotProps={{
            htmlInput: {
              ...params.inputProps,
              "aria-label": translate("shop.search.title"),
              "aria-keyshortcuts": "/ Control+K",
            },
          }}
        />
      )}
    />
  );
}

/** A text, once it has not changed for a moment. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
