import * as React from "react";
import type { RowAction } from "../actions/row-actions";
import { idOf, textOf, valueIn, type Row } from "./answer-table";
import { Cell, type Whole } from "./cell";
import { RowButtons } from "./row-buttons";
import { SelectBox } from "./select-box";
import type { SourcedTable } from "./sourced-table";
import { wordsOf } from "./words";

interface DataRowProps {
  readonly table: SourcedTable;
  readonly row: Row;
  readonly index: number;
  readonly actions: readonly RowAction[];
  readonly isDeleted: boolean;
  /** Whether the table has a column for buttons. */
  readonly hasButtons: boolean;
  /** Undefined where rows of the table are not selected. */
  readonly selection: Selectable | undefined;
  readonly onWhole: (whole: Whole) => void;
}

interface Selectable {
  readonly isSelected: boolean;
  readonly toggle: (isRange: boolean) => void;
}

/** A row with what can be done with it. */
export function DataRow(props: DataRowProps): React.ReactNode {
  const { table, row, index, actions, isDeleted, selection, onWhole } = props;
  const id = idOf(table, row);
  const rowName = id === undefined ? `row ${index + 1}` : `${wordsOf(table.typeName)} ${id}`;
  const actionOf = (fields: readonly string[]) =>
    actions.find(({ field }) => fields.length === 1 && field === fields[0]);
  return (
    <tr data-deleted={isDeleted || undefined} data-selected={selection?.isSelected || undefined}>
      {selection && (
        <td className="select">
          {!isDeleted && (
            <SelectBox
              label={`Select ${rowName}`}
              isChecked={selection.isSelected}
              onChange={selection.toggle}
            />
          )}
        </td>
      )}
      {table.columns.map((column) => {
        const value = valueIn(row, column);
        const action = value === null ? undefined : actionOf(column.fields);
        return (
          <td key={column.path.join(".")} data-kind={column.kind}>
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
              <Cell column={column} value={value} onWhole={onWhole} />
            )}
          </td>
        );
      })}
      {props.hasButtons && (
        <td className="row-end">
          {isDeleted ? (
            "deleted"
          ) : (
            <RowButtons actions={buttonsOf(table, actions)} rowName={rowName} />
          )}
        </td>
      )}
    </tr>
  );
}

/** The actions that have buttons: those that no cell of the table starts. */
export const buttonsOf = (
  { columns }: SourcedTable,
  actions: readonly RowAction[],
): readonly RowAction[] =>
  actions.filter(
    ({ field }) => !columns.some(({ fields }) => fields.length === 1 && fields[0] === field),
  );
