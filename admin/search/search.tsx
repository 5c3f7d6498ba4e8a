import { Autocomplete, TextField } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useDebouncedEvent } from "react-admin";
import { useNavigate } from "react-router-dom";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { findCategories } from "../categories/source";
import { amount } from "../parts/format";
import { pageOf } from "../parts/page";
import { kindName, t } from "../texts";

const lists = "orders products categories customers newsletter webhooks audit-log".split(" ");

export const pages: readonly { readonly path: string; readonly name: string }[] = [
  { path: "/", name: t("page.overview") },
  ...lists.map((name) => ({ path: `/${name}`, name: kindName(name) })),
  { path: "/import", name: t("page.import") },
];

const label = t("menu.search");
const KEYS = "/ Control+K";
const PAUSE = 150;

const Everything = graphql(`
  query Everything(
    $text: String!
    $id: Int!
    $isId: Boolean!
    $isPart: Boolean!
    $isWord: Boolean!
  ) {
    order(id: $id) @include(if: $isId) { id customerEmail totalAmount }
    products(pageSize: 6, filter: { search: $text }, sort: { field: RELEVANCE })
      @include(if: $isWord) { data { id name price } }
    customers(pageSize: 5, filter: { search: $text }) @include(if: $isPart) { data { email amount } }
    ordersConnection(first: 5, filter: { customerSearch: $text }) @include(if: $isPart) {
      edges { node { id customerEmail totalAmount } }
    }
  }
`);

type Found = Readonly<{ kind: string; name: string; to: string; sum?: string }>;

/** What the shop has under a text: an order's number, or a part of a name or an address. @throws Failure */
async function search(text: string, signal: AbortSignal): Promise<Found[]> {
  const isId = /^#?[0-9]{1,9}$/.test(text);
  const variables = {
    ...{ text, isId, id: isId ? Number(text.replace("#", "")) : 0 },
    isPart: text.length >= 3 && text.length <= 100,
    isWord: /[\p{L}\p{N}]/u.test(text),
  };
  const [answer, categories] = await Promise.all([
    request(Everything, variables, signal),
    findCategories(text),
  ]);
  const found = (kind: string, id: number | string, name: string, sum?: string): Found => ({
    ...{ kind, name, to: pageOf(kind, id) },
    ...(sum !== undefined && { sum: amount(sum) }),
  });
  const orders = [answer.order ?? [], answer.ordersConnection?.edges.map(({ node }) => node) ?? []]
    .flat()
    .map(({ id, customerEmail, totalAmount }) =>
      found("orders", id, `${id}, ${customerEmail}`, totalAmount),
    );
  return [
    ...(isId ? orders : []),
    ...(answer.products?.data ?? []).map(({ id, name, price }) =>
      found("products", id, name, price),
    ),
    ...categories.slice(0, 5).map(({ id, name }) => found("categories", id, name)),
    ...(answer.customers?.data ?? []).map(({ email, amount: sum }) =>
      found("customers", email, email, sum),
    ),
    ...(isId ? [] : orders),
  ];
}

/** Finds orders, products, categories, customers and pages; `/` and Ctrl+K lead to it from everywhere. */
export function SearchEverything() {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const follow = useDebouncedEvent(setAsked, PAUSE);
  /** Whether Enter was pressed before anything was found. */
  const isHasty = useRef(false);
  const { data = [], isFetching } = useQuery({
    ...{ queryKey: ["search", asked], enabled: asked !== "" },
    queryFn: ({ signal }) => search(asked, signal),
  });
  const isMeant = ({ name }: { name: string }): boolean =>
    asked !== "" && name.toLowerCase().includes(asked.toLowerCase());
  const found: readonly Found[] = [
    ...pages.filter(isMeant).map(({ path, name }) => ({ kind: "pages", name, to: path })),
    ...data,
  ];
  const isDone = asked === text.trim() && !isFetching;
  const open = ({ to }: Found): void => {
    isHasty.current = false;
    setText("");
    input.current?.blur();
    follow("");
    void navigate(to);
  };
  useEffect(() => {
    if (!isDone || !isHasty.current || asked === "") return;
    isHasty.current = false;
    if (found[0]) open(found[0]);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      const isTyping = target.matches("input, textarea, select, [contenteditable]");
      const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isPalette && (event.key !== "/" || isTyping)) return;
      if (document.querySelector("[role=dialog]:not([aria-hidden=true] *)")) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <Autocomplete<Found, false, false, true>
      {...{ freeSolo: true, autoHighlight: true, clearOnEscape: true, value: null }}
      {...{ options: isDone ? found : [], inputValue: text }}
      filterOptions={(all) => all}
      getOptionLabel={(option) => (typeof option === "string" ? option : option.name)}
      getOptionKey={(option) => (typeof option === "string" ? option : option.to)}
      onInputChange={(_event, next, reason) => {
        if (reason === "reset") return;
        setText(next);
        follow(next.trim());
      }}
      onChange={(_event, option) => {
        if (option === null) return;
        if (typeof option !== "string") open(option);
        else isHasty.current = true;
      }}
      renderOption={({ key: _key, ...props }, { kind, name, sum, to }) => (
        <li {...props} key={to}>
          {[name, sum, kindName(kind, 1)].filter(Boolean).join(" · ")}
        </li>
      )}
      clearText={t("ra.action.clear_input_value")}
      sx={{ flex: 1, maxWidth: 420, minWidth: 60 }}
      renderInput={(params) => (
        <TextField
          {...{ ...params, inputRef: input, placeholder: label }}
          slotProps={{
            htmlInput: { ...params.inputProps, "aria-label": label, "aria-keyshortcuts": KEYS },
          }}
        />
      )}
    />
  );
}
