import * as React from "react";
import type { RowAction } from "../actions/row-actions";
import { idOf, textOf, valueIn, type Row } from "./answer-table";
import { Cell, type Whole } from "./cell";
import { columnHeading } from "./columns";
import { RowButtons } from "./row-buttons";
import { SelectBox } from "./select-box";
import type { SourcedTable } from "./sourced-table";
import { wordsOf } from "./words";

interface DataRowProps {
  readonly table: SourcedTable;
  readonly row: Row;
  readonly rowKey: string;
  readonly index: number;
  readonly actions: readonly RowAction[];
  readonly isDeleted: boolean;
  readonly isChanged: boolean;
  /** Undefined if the rows of the table can't be selected. */
  readonly isSelected: boolean | undefined;
  /** Whether the table has a column for buttons. */
  readonly hasButtons: boolean;
  /** Must stay the same object, or all rows are rendered again. */
  readonly handlers: RowHandlers;
}

export interface RowHandlers {
  /** Runs the row's action with this label. */
  readonly run: (row: Row, label: string) => void;
  readonly toggle: (key: string, isRange: boolean) => void;
  readonly showWhole: (whole: Whole) => void;
}

/** A row with its actions. It is rendered again only if something in it has changed. */
export const DataRow = React.memo(function DataRow(props: DataRowProps) {
  const { table, row, rowKey, index, isDeleted, isSelected, handlers } = props;
  const actions = props.actions.map((action) => ({
    ...action,
    run: () => handlers.run(row, action.label),
  }));
  const id = idOf(table, row);
  const rowName = id === undefined ? `row ${index + 1}` : `${wordsOf(table.typeName)} ${id}`;
  const actionOf = (fields: readonly string[]) =>
    actions.find(({ field }) => fields.length === 1 && field === fields[0]);
  return (
    <tr
      role="row"
      tabIndex={-1}
      data-deleted={isDeleted || undefined}
      data-changed={props.isChanged || undefined}
      data-selected={isSelected || undefined}
    >
      {isSelected !== undefined && (
        <td role="cell" className="select">
          {!isDeleted && (
            <SelectBox
              label={`Select ${rowName}`}
              isChecked={isSelected}
              onChange={(isRange) => handlers.toggle(rowKey, isRange)}
            />
          )}
        </td>
      )}
      {table.columns.map((column) => {
        const value = valueIn(row, column);
        const action = value === null ? undefined : actionOf(column.fields);
        return (
          <td
            key={column.path.join(".")}
            role="cell"
            data-kind={column.kind}
            data-label={columnHeading(column)}
          >
            {action ? (
              <button
                type="button"
                className="link"
                title={action.label}
                aria-label={`${textOf(value)}: ${action.label}, ${rowName}`}
                onClick={action.run}
              >
                <bdi>{textOf(value)}</bdi>
              </button>
            ) : (
              <Cell column={column} value={value} onWhole={handlers.showWhole} />
            )}
          </td>
        );
      })}
      {props.hasButtons && (
        <td role="cell" className="row-end">
          {isDeleted ? (
            "deleted"
          ) : (
            <RowButtons actions={buttonsOf(table, actions)} rowName={rowName} />
          )}
        </td>
      )}
    </tr>
  );
}, isSameRow);

function isSameRow(one: DataRowProps, other: DataRowProps): boolean {
  const { actions: before, ...rest } = one;
  const { actions: after, ...others } = other;
  const isSame = Object.entries(rest).every(
    ([name, value]) => others[name as keyof typeof others] === value,
  );
  return (
    isSame &&
    before.length === after.length &&
    before.every(({ label, field }, at) => label === after[at]?.label && field === after[at].field)
  );
}

/** The actions that need a button: no cell of the table starts them. */
export const buttonsOf = (
  { columns }: SourcedTable,
  actions: readonly RowAction[],
): readonly RowAction[] =>
  actions.filter(
    ({ field }) => !columns.some(({ fields }) => fields.length === 1 && fields[0] === field),
  );
