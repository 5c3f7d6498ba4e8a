import { Alert, Button } from "@mui/material";
import { useEffect, useRef, useState } from "react";
import { useListContext, useTranslate, type RaRecord } from "react-admin";
import type { Newer } from "./list-page";
import { useSelection } from "./selected";

/** Milliseconds between two looks for what is new. */
const PERIOD = 5000;

/**
 * Looks every 5 s, while the page is visible, for what is newer than the first page of a list. It appears above as soon
 * as neither the pointer nor the focus is in the table, so that no row moves away from under them.
 *
 * @param find brings what was created at the time or later, newest first
 * @param label the key of what tells how many have come
 */
export function useNewerThings<Thing extends RaRecord & { readonly createdAt: string }>(
  find: (since: string, filter: Record<string, unknown>) => Promise<readonly Thing[]>,
  label: string,
): Newer<Thing> {
  const translate = useTranslate();
  const { data, page, filterValues } = useListContext<Thing>();
  const { known } = useSelection();
  const opened = useRef(new Date().toISOString());
  const [found, setFound] = useState<readonly Thing[]>([]);
  const [above, setAbove] = useState<readonly Thing[]>([]);
  useEffect(() => {
    setFound([]);
    setAbove([]);
  }, [data]);

  useEffect(() => {
    if (page !== 1 || !data) return;
    const look = (): void => {
      if (document.visibilityState !== "visible") return;
      const since = above[0]?.createdAt ?? data[0]?.createdAt ?? opened.current;
      const seen = new Set([...data, ...above].map(({ id }) => id));
      find(since, filterValues as Record<string, unknown>).then(
        (things) => {
          const news = things.filter(({ id }) => !seen.has(id));
          for (const thing of news) known.set(thing.id, thing);
          if (document.querySelector("main table:is(:hover, :focus-within)")) setFound(news);
          else show(news);
        },
        () => undefined, // it is tried again
      );
    };
    const timer = setInterval(look, PERIOD);
    return () => clearInterval(timer);
  });

  const show = (news: readonly Thing[]): void => {
    setFound([]);
    if (news.length > 0) setAbove([...news, ...above]);
  };
  const number = found.length || above.length;
  return {
    above,
    notice: (
      <div role="status">
        {number > 0 && (
          <Alert
            severity="info"
            sx={{ mb: 1, py: 0 }}
            action={
              found.length > 0 && (
                <Button onClick={() => show(found)}>{translate("shop.action.show")}</Button>
              )
            }
          >
            {translate(label, { smart_count: number })}
          </Alert>
        )}
      </div>
    ),
  };
}
