import { Box, Button, List, ListItem, Typography } from "@mui/material";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNotify, useRefresh, useTranslate } from "react-admin";
import { problemOf } from "../api/problem";
import type { AuditSubject } from "../api/generated/graphql";
import { amount, time } from "../parts/format";
import { before, entriesOf, putBack } from "./undo";

interface Props {
  readonly subject: AuditSubject;
  readonly id: number;
  /** The version that is shown. */
  readonly version: number;
}

/** Who changed a thing, from what to what, newest first; changes that can be undone have a button for it. */
export function History({ subject, id, version }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const { data, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: ["history", subject, id, version],
    queryFn: ({ pageParam, signal }) => entriesOf(subject, id, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
  });
  const entries = data?.pages.flatMap(({ edges }) => edges.map(({ node }) => node)) ?? [];
  const textOf = useChangeText();
  const isUndoable = subject === "PRODUCT" || subject === "CATEGORY";
  const undo = async (fields: Record<string, unknown>): Promise<void> => {
    try {
      await putBack(subject, id, version, fields);
      notify("shop.history.undone", { type: "success" });
    } catch (fault) {
      notify(problemOf(fault).message, { type: "error" });
    }
    refresh();
  };
  return (
    <Box component="section">
      <Typography component="h2" variant="h2">
        {translate("shop.history.title")}
      </Typography>
      {data && entries.length === 0 && <Typography>{translate("shop.history.none")}</Typography>}
      <List dense>
        {entries.map(({ id: key, at, actor, door, operation, source, changes }) => {
          const fields = isUndoable ? before(changes) : undefined;
          return (
            <ListItem
              key={key}
              disableGutters
              sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "baseline" }}
            >
              <Typography variant="body2" sx={{ minWidth: 150 }}>
                {time(at)}
              </Typography>
              <Typography variant="body2" sx={{ minWidth: 180 }} color="text.secondary">
                {`${actor ?? translate("shop.history.nobody")}, ${translate(`shop.door.${door}`)}${source ? `, ${source}` : ""}`}
              </Typography>
              <Box
                component="ul"
                sx={{ m: 0, pl: 2, flex: 1, minWidth: 200, fontSize: "0.875rem" }}
              >
                {changes.map(({ field, before: old, after }) => (
                  <li key={field}>{textOf({ field, before: old, after }, subject)}</li>
                ))}
                {changes.length === 0 && <li>{operation}</li>}
              </Box>
              {fields && (
                <Button size="small" onClick={() => void undo(fields)}>
                  {translate("shop.history.undo")}
                </Button>
              )}
            </ListItem>
          );
        })}
      </List>
      {hasNextPage && (
        <Button onClick={() => void fetchNextPage()}>{translate("shop.history.more")}</Button>
      )}
    </Box>
  );
}

interface Change {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a change of a field says in words: its name, and the values before and after. */
export function useChangeText(): (change: Change, subject: AuditSubject) => string {
  const translate = useTranslate();
  const shown = (field: string, value: string | null): string => {
    if (value === null || value === "") return "–";
    if (/price|amount/i.test(field)) return amount(value);
    if (field === "status") return translate(`shop.orders.status.${value}`, { _: value });
    if (/^(is|include)[A-Z]/.test(field)) return translate(`ra.boolean.${value}`);
    return value.length > 120 ? `${value.slice(0, 120)}…` : value;
  };
  return ({ field, before: old, after }, subject) => {
    const key = field === "isActive" && subject !== "PRODUCT" ? "active" : field;
    const name = translate(`shop.field.${key}`, { _: field });
    return `${name}: ${shown(field, old)} → ${shown(field, after)}`;
  };
}
