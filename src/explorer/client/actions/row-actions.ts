import type { ReactNode } from "react";
import type { AnswerTable, Row } from "../answers/answer-table";
import type { Prepared } from "../operations/prepared";
import type { Answer, Request } from "../service";
import type { ActiveTab } from "../workbench/active-tab";
import type { OpenOptions } from "../workbench/workbench";

/** What actions need to run. */
export interface ActionContext {
  readonly tab: ActiveTab;
  readonly send: (request: Request) => Promise<Answer>;
  readonly open: (operation: Prepared, options?: OpenOptions) => void;
}

/** What can be done with the rows of a table. */
export interface RowActions {
  /** What can be done with a row, what is done most often first. */
  readonly of: (row: Row) => readonly RowAction[];
  /** What can be done with several rows at once; each action says with how many of them. */
  readonly ofSelected: (rows: readonly Row[]) => readonly RowAction[];
  /** Whether an action has deleted what the row shows. */
  readonly isDeleted: (row: Row) => boolean;
  /** The dialog of an action that asks, takes input, or tells its progress; else null. */
  readonly dialog: ReactNode;
}

export interface RowAction {
  readonly label: string;
  /** The field whose cell starts the action, in place of a button: an address, say, its customer's orders. */
  readonly field?: string;
  readonly run: () => void;
}

/** The actions of the prepared operations that act on the type of the table's rows. */
export function useRowActions(_table: AnswerTable, _context: ActionContext): RowActions {
  return { of: () => [], ofSelected: () => [], isDeleted: () => false, dialog: null };
}
