import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  LinearProgress,
  List,
  ListItem,
} from "@mui/material";
import { useState } from "react";
import { useListContext, useNotify, useRefresh, useTranslate, type RaRecord } from "react-admin";
import { problemOf } from "../api/problem";
import { Ask } from "./ask";
import { useSelected } from "./selected";

interface Props<Thing> {
  readonly label: string;
  readonly isFinal?: boolean;
  readonly nameOf: (thing: Thing) => string;
  /** What is asked before, of all that are selected. */
  readonly question: (things: readonly Thing[]) => { title: string; text: string };
  /** What is told when so many are done. */
  readonly done: (count: number) => string;
  readonly act: (thing: Thing) => Promise<unknown>;
}

/** How many requests are under way at a time. */
const AT_ONCE = 4;

/** Does the same to all that are selected, one by one, and has a result for each. What was refused stays selected. */
export function BulkAction<Thing extends RaRecord>(props: Props<Thing>) {
  const { label, isFinal = false, nameOf, question, done, act } = props;
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const { onSelect } = useListContext<Thing>();
  const things = useSelected<Thing>();
  const [asked, setAsked] = useState<readonly Thing[]>();
  const [left, setLeft] = useState<number>();
  const [refused, setRefused] = useState<readonly { thing: Thing; reason: string }[]>([]);

  const run = async (all: readonly Thing[]): Promise<void> => {
    const queue = [...all];
    const faults: { thing: Thing; reason: string }[] = [];
    setLeft(all.length);
    const work = async (): Promise<void> => {
      for (let thing = queue.shift(); thing; thing = queue.shift()) {
        const tried = thing;
        await act(tried).catch((fault: unknown) => {
          faults.push({ thing: tried, reason: problemOf(fault).message });
        });
        setLeft((count = 0) => count - 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    setLeft(undefined);
    setRefused(faults);
    onSelect(faults.map(({ thing }) => thing.id));
    if (faults.length < all.length) notify(done(all.length - faults.length), { type: "success" });
    refresh();
  };

  return (
    <>
      <Button
        color={isFinal ? "error" : "primary"}
        variant={isFinal ? "text" : "contained"}
        disabled={things.length === 0}
        onClick={() => setAsked(things)}
      >
        {label}
      </Button>
      {asked && (
        <Ask
          {...{ label, isFinal }}
          title={question(asked).title}
          onClose={() => setAsked(undefined)}
          act={() => {
            void run(asked);
            return Promise.resolve();
          }}
        >
          {question(asked).text}
        </Ask>
      )}
      <Dialog open={left !== undefined || refused.length > 0} aria-labelledby="bulk">
        <DialogTitle id="bulk">{label}</DialogTitle>
        <DialogContent>
          {left !== undefined && (
            <>
              <p role="status">{translate("shop.bulk.left", { smart_count: left })}</p>
              <LinearProgress aria-label={label} />
            </>
          )}
          {refused.length > 0 && (
            <Alert severity="warning">
              {translate("shop.bulk.refused", { smart_count: refused.length })}
              <List dense>
                {refused.map(({ thing, reason }) => (
                  <ListItem key={thing.id}>{`${nameOf(thing)}: ${reason}`}</ListItem>
                ))}
              </List>
            </Alert>
          )}
        </DialogContent>
        <DialogActions>
          <Button disabled={left !== undefined} onClick={() => setRefused([])}>
            {translate("ra.action.close")}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
