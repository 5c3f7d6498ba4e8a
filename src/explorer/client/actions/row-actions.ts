import * as React from "react";
import { flushSync } from "react-dom";
import type { AnswerTable, Row } from "../answers/answer-table";
import { say } from "../bar/status";
import { rowOperations } from "../operations";
import type { Prepared } from "../operations/prepared";
import type { RowOperation, Values } from "../operations/row-operation";
import type { Answer, Request } from "../service";
import type { ActiveTab } from "../workbench/active-tab";
import { ActionDialog, type Started } from "./action-dialog";
import { useMarks } from "./marks";
import { applies, keyOf, valuesOf } from "./values";

/** What actions need in order to run. */
export interface ActionContext {
  readonly tab: ActiveTab;
  readonly send: (request: Request) => Promise<Answer>;
  /** Begins an operation in its tab; a query runs at once. */
  readonly open: (operation: Prepared) => void;
  /** If nobody is signed in, actions only read. */
  readonly isSignedIn?: boolean;
}

/** The actions on the rows of a table. */
export interface RowActions {
  /** The actions on a row, the most frequent one first. */
  readonly of: (row: Row) => readonly RowAction[];
  /** The actions on several rows at once. The label of each says on how many of them it runs. */
  readonly ofSelected: (rows: readonly Row[]) => readonly RowAction[];
  /** Whether an action has deleted the object of the row. */
  readonly isDeleted: (row: Row) => boolean;
  /** Whether an action has changed the object of the row. */
  readonly isChanged: (row: Row) => boolean;
  /** The dialog of an action that asks, takes input, or shows its progress; otherwise null. */
  readonly dialog: React.ReactNode;
}

export interface RowAction {
  readonly label: string;
  /** The field whose cell starts the action instead of a button: an address, for example, lists a customer's orders. */
  readonly field?: string;
  readonly run: () => void;
}

/** The actions of the prepared operations that act on the type of the table's rows. */
export function useRowActions(table: AnswerTable, context: ActionContext): RowActions {
  const [started, setStarted] = React.useState<Started>();
  const marks = useMarks(context.tab.answered?.request);
  const operations = rowOperations.filter(
    ({ type, does }) =>
      type === table.typeName &&
      (context.isSignedIn !== false || (does.kind === "opens" && !does.isForAdministrators)),
  );
  const markOf = (row: Row) => {
    const key = keyOf(table.typeName, valuesOf(table, row));
    return key === undefined ? undefined : marks.get(key);
  };
  const fitting = (operation: RowOperation, rows: readonly Row[]) =>
    rows
      .filter((row) => markOf(row) !== "deleted")
      .map((row) => valuesOf(table, row))
      .filter((values) => applies(operation, values));

  const start = (operation: RowOperation, rows: readonly Values[], unfit = 0): void => {
    const [row] = rows;
    if (!row) return;
    if (operation.does.kind === "opens") {
      const variables = operation.variables(row);
      context.open({ ...operation, variables: () => variables });
    } else setStarted({ operation, rows: [row, ...rows.slice(1)], unfit });
  };
  const close = (said?: string): void => {
    // First close the dialog: screen readers don't read what is said outside an open dialog.
    flushSync(() => setStarted(undefined));
    if (said !== undefined) say(said);
  };

  return {
    of: (row) =>
      operations.flatMap((operation) => {
        const { label, does } = operation;
        const rows = fitting(operation, [row]);
        if (rows.length === 0) return [];
        const field = does.kind === "opens" && does.from ? { field: does.from } : {};
        return { label, ...field, run: () => start(operation, rows) };
      }),
    ofSelected: (selected) =>
      operations.flatMap((operation) => {
        const rows = fitting(operation, selected);
        if (operation.does.kind !== "asks" || rows.length === 0) return [];
        const unfit = selected.length - rows.length;
        const count = unfit === 0 ? `${rows.length}` : `${rows.length} of ${selected.length}`;
        const label = operation.does.several(count);
        return { label, run: () => start(operation, rows, unfit) };
      }),
    isDeleted: (row) => markOf(row) === "deleted",
    isChanged: (row) => markOf(row) === "changed",
    dialog: started
      ? React.createElement(ActionDialog, { ...started, context, onClose: close })
      : null,
  };
}
