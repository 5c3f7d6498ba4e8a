import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  type ReactNode,
} from "react";
import { useDataProvider, useListContext, useNotify, type RaRecord } from "react-admin";

/** The most that are selected at once. */
export const SELECTED_MAX = 1000;

interface Selection {
  readonly known: Map<unknown, RaRecord>;
  readonly selectAllMatching: () => void;
}

const Context = createContext<Selection>({ known: new Map(), selectAllMatching: () => undefined });

/** Remembers what is selected beyond the page that is shown. Another list than before begins with nothing selected. */
export function SelectionProvider({ children }: { readonly children: ReactNode }) {
  const { data, filterValues, sort, resource, onSelect, onUnselectItems } = useListContext();
  const provider = useDataProvider();
  const notify = useNotify();
  const known = useRef(new Map<unknown, RaRecord>()).current;
  for (const record of data ?? []) known.set(record.id, record as RaRecord);
  const conditions = JSON.stringify({ ...filterValues, columns: undefined });
  const shown = useRef(conditions);
  useEffect(() => {
    if (shown.current === conditions) return;
    shown.current = conditions;
    onUnselectItems();
  }, [conditions, onUnselectItems]);
  const selectAllMatching = useCallback(() => {
    provider
      .getList<RaRecord>(resource, {
        pagination: { page: 1, perPage: SELECTED_MAX },
        sort,
        filter: filterValues as unknown,
      })
      .then(
        ({ data: all }) => {
          for (const record of all) known.set(record.id, record);
          onSelect(all.map(({ id }) => id));
        },
        (fault: unknown) => notify((fault as Error).message, { type: "error" }),
      );
  }, [provider, resource, sort, filterValues, known, onSelect, notify]);
  const value = useMemo(() => ({ known, selectAllMatching }), [known, selectAllMatching]);
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

export const useSelection = (): Selection => useContext(Context);

/** All that are selected, as they were seen last. */
export function useSelected<Thing extends RaRecord>(): readonly Thing[] {
  const { known } = useSelection();
  const { selectedIds } = useListContext();
  return selectedIds.flatMap((id) => (known.get(id) as Thing | undefined) ?? []);
}
