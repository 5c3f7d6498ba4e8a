import { Button, LinearProgress, Typography } from "@mui/material";
import { useState, type ReactNode } from "react";
import { useListContext, useNotify, useRefresh, type RaRecord } from "react-admin";
import { t } from "../texts";
import { AskButton } from "./ask";
import { count } from "./format";
import { Row } from "./page";

const SELECTED_MAX = 1000;

/** What lists have shown, as it was seen last: what is selected may be beyond the page that is shown. */
const seen = new Map<string, RaRecord>();

export function remember(resource: string, things: readonly RaRecord[]): void {
  for (const thing of things) seen.set(`${resource}/${thing.id}`, thing);
}

/** What is selected, and what can be done with it. It keeps its height and the places of its buttons. */
export function BulkBar({ children }: { readonly children: ReactNode }) {
  const list = useListContext<RaRecord>();
  const { selectedIds, total = 0, data = [], onSelect, onSelectAll, onUnselectItems } = list;
  const selected = selectedIds.length;
  const most = Math.min(total, SELECTED_MAX);
  const onSuccess = ({ data: all }: { data: RaRecord[] }): void => {
    remember(list.resource, all);
    onSelect(all.map(({ id }) => id));
  };
  const selectAll = (): void =>
    onSelectAll({ limit: SELECTED_MAX, queryOptions: { onSuccess } as never });
  return (
    <Row>
      {children}
      <Typography role="status" color="text.secondary">
        {t("list.selected", { smart_count: selected })}
      </Typography>
      {selected >= data.length && selected > 0 && selected < most && (
        <Button onClick={selectAll}>{t("list.all_matching", { count: count(most) })}</Button>
      )}
      {selected > 0 && <Button onClick={() => onUnselectItems()}>{t("list.none")}</Button>}
    </Row>
  );
}

interface Props<Thing> {
  /** The key of what the button says; `_title` behind it asks, `_done` says how many are done. */
  readonly text: string;
  readonly isFinal?: boolean;
  readonly nameOf: (thing: Thing) => string;
  readonly about: (things: readonly Thing[]) => string;
  readonly act: (thing: Thing) => Promise<unknown>;
}

const AT_ONCE = 4;

/** Does the same to all that are selected, one by one, and has a result for each. What was refused stays selected. */
export function BulkAction<Thing extends RaRecord>(props: Props<Thing>) {
  const { text, isFinal = false, nameOf, about, act } = props;
  const notify = useNotify();
  const refresh = useRefresh();
  const { resource, selectedIds, onSelect } = useListContext<Thing>();
  const things = selectedIds.flatMap(
    (id) => (seen.get(`${resource}/${id}`) as Thing | undefined) ?? [],
  );
  const [left, setLeft] = useState(0);
  const run = async (signal: AbortSignal): Promise<void> => {
    const queue = [...things];
    const refused: { readonly id: Thing["id"]; readonly line: string }[] = [];
    const work = async (): Promise<void> => {
      while (queue.length > 0 && !signal.aborted) {
        setLeft(queue.length);
        const thing = queue.shift() as Thing;
        await act(thing).catch((fault: unknown) => {
          refused.push({ id: thing.id, line: `${nameOf(thing)}: ${(fault as Error).message}` });
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const smart_count = things.length - queue.length - refused.length;
    setLeft(0);
    onSelect([...refused, ...queue].map(({ id }) => id));
    if (smart_count > 0) notify(t(`${text}_done`, { smart_count }), { type: "success" });
    refresh();
    const first = t("list.refused", { smart_count: refused.length });
    if (refused.length > 0) throw new Error([first, ...refused.map(({ line }) => line)].join("\n"));
  };
  return (
    <AskButton
      {...{ isFinal, act: run, label: t(text), disabled: things.length === 0 }}
      title={t(`${text}_title`, { smart_count: things.length })}
      variant={isFinal ? "text" : "contained"}
    >
      {about(things)}
      {left > 0 && (
        <>
          <p role="status">{t("list.left", { smart_count: left })}</p>
          <LinearProgress aria-label={t(text)} />
        </>
      )}
    </AskButton>
  );
}
