import * as React from "react";
import { useRowActions, type ActionContext, type RowActions } from "../actions/row-actions";
import { isPrepared } from "../operations";
import type { Request } from "../service";
import { keysOf } from "./answer-table";
import type { Whole } from "./cell";
import { ColumnHeads } from "./column-heads";
import { CsvDownload } from "./csv-download";
import { buttonsOf, DataRow, type RowHandlers } from "./data-row";
import { PageButtons } from "./page-buttons";
import { captionOf, emptyText } from "./range";
import { SelectionBar } from "./selection-bar";
import type { SourcedTable } from "./sourced-table";
import { useMoves, type VisitedCursors } from "./use-moves";
import { useSelection, type RowSelection } from "./use-selection";
import { WholeValue } from "./whole-value";

interface DataTableProps extends ActionContext {
  readonly table: SourcedTable;
  /** The request whose answer has the table. */
  readonly request: Request;
  /** Whether another answer is on its way. */
  readonly isBusy: boolean;
  readonly visited: VisitedCursors;
}

/** A table with its paging, sorting, selection and download, and the actions of its rows. */
export function DataTable(props: DataTableProps): React.ReactNode {
  const { table: full, request, isBusy, visited, ...context } = props;
  const table = React.useMemo(() => shownPart(full, request), [full, request]);
  const { tab, send } = context;
  const { rows, columns } = table;
  const heading = React.useId();
  const box = React.useRef<HTMLDivElement>(null);
  const [whole, setWhole] = React.useState<Whole>();
  const closeWhole = React.useCallback(() => setWhole(undefined), []);
  const moves = useMoves({ tab, table, request, isBusy, visited });

  const actions = useRowActions(full, context);
  const keys = React.useMemo(() => keysOf(table), [table]);
  const shown = rows.map((row, index) => {
    const isDeleted = actions.isDeleted(row);
    const key = keys[index] ?? "";
    return { row, key, isDeleted, actions: isDeleted ? [] : actions.of(row) };
  });
  const present = shown.filter(({ isDeleted }) => !isDeleted);
  const selectable = present.map(({ key }) => key);
  const selection = useSelection(request, selectable);
  const canSelect = actions.ofSelected(present.map(({ row }) => row)).length > 0;
  const selected = canSelect ? present.filter(({ key }) => selection.has(key)) : [];
  const hasButtons = shown.some(
    (each) => each.isDeleted || buttonsOf(table, each.actions).length > 0,
  );
  const handlers = useHandlers(actions, selection, setWhole);
  const isAllSelected = selected.length > 0 && selected.length === present.length;
  const caption = captionOf(table);
  const selectAll = {
    isChecked: isAllSelected,
    isMixed: selected.length > 0 && !isAllSelected,
    onChange: selection.toggleAll,
  };

  return (
    <section className="answer-table" aria-labelledby={heading} aria-busy={isBusy} tabIndex={-1}>
      <div className="table-bar">
        <div className="table-title" hidden={selected.length > 0}>
          <h2 id={heading}>{caption}</h2>
          {tab.schema && rows.length > 0 && (
            <CsvDownload
              schema={tab.schema}
              {...{ table, request, send }}
              isSignedIn={context.isSignedIn !== false}
            />
          )}
        </div>
        <span role="status" className="selected-count">
          {selected.length > 0 && `${selected.length} selected`}
        </span>
        {selected.length > 0 && (
          <SelectionBar
            actions={actions.ofSelected(selected.map(({ row }) => row))}
            onClear={() => {
              selection.clear();
              box.current?.querySelector("input")?.focus();
            }}
          />
        )}
      </div>
      <div ref={box} className="table-box" role="group" aria-labelledby={heading} tabIndex={0}>
        {/* Roles, because a phone shows the rows as cards, and then the elements lose their own roles. */}
        <table role="table">
          <caption className="unseen">{caption}</caption>
          <ColumnHeads
            columns={columns}
            moves={moves}
            selectAll={canSelect ? selectAll : undefined}
            hasButtons={hasButtons}
          />
          <tbody role="rowgroup">
            {shown.map((each, index) => (
              <DataRow
                key={each.key}
                {...{ table, index, hasButtons, handlers }}
                row={each.row}
                rowKey={each.key}
                actions={each.actions}
                isDeleted={each.isDeleted}
                isChanged={actions.isChanged(each.row)}
                isSelected={canSelect ? selection.has(each.key) : undefined}
              />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p className="answer-note">{emptyText(table)}</p>}
      </div>
      <PageButtons moves={moves} isBusy={isBusy} name={caption} />
      {actions.dialog}
      {whole && <WholeValue {...whole} onClose={closeWhole} />}
    </section>
  );
}

/** The table without the column of versions, if the operation selects them only because actions send them. */
function shownPart(table: SourcedTable, { query }: Request): SourcedTable {
  if (!isPrepared(query)) return table;
  return { ...table, columns: table.columns.filter(({ fields }) => fields.join() !== "version") };
}

/** Handlers that stay the same object, but always act on the state of the last rendering. */
function useHandlers(
  actions: RowActions,
  selection: RowSelection,
  showWhole: (whole: Whole) => void,
): RowHandlers {
  const latest = React.useRef({ actions, selection });
  latest.current = { actions, selection };
  return React.useMemo(
    () => ({
      run: (row, label) => {
        const found = latest.current.actions.of(row).find((each) => each.label === label);
        found?.run();
      },
      toggle: (key, isRange) => latest.current.selection.toggle(key, isRange),
      showWhole,
    }),
    [showWhole],
  );
}
