import * as React from "react";
import { isObject } from "../objects";
import type { RowOperation, Values } from "../operations/row-operation";
import type { Variables } from "../service";
import { AskDialog, type AskingOperation } from "./ask-dialog";
import { changedAnswer } from "./changed-answer";
import { FormDialog, type InputOperation } from "./form-dialog";
import { mark } from "./marks";
import type { ActionContext } from "./row-actions";
import { sent, type Sent } from "./sent";
import { keyOf } from "./values";

/** An action that has been started on rows. */
export interface Started {
  readonly operation: RowOperation;
  readonly rows: readonly [Values, ...Values[]];
  /** How many of the selected rows it does not fit. */
  readonly unfit: number;
}

interface ActionDialogProps extends Started {
  readonly context: ActionContext;
  readonly onClose: (said?: string) => void;
}

/** The dialog that a started action needs. What it changes is shown in the answer at once. */
export function ActionDialog(props: ActionDialogProps): React.ReactNode {
  const { operation, rows, unfit, context, onClose } = props;
  const tab = React.useRef(context.tab);
  // Answers change while a round runs; another tab's are none of its business.
  if (tab.current.id === context.tab.id) tab.current = context.tab;

  const run = async (row: Values, variables: Variables): Promise<Sent> => {
    const result = await sent(context.send, { query: operation.query, variables });
    if (!result.failure) show(operation, row, result.answer.data ?? {}, tab.current);
    return result;
  };
  if (isAsking(operation)) {
    const act = async (row: Values) => (await run(row, operation.variables(row))).failure;
    return <AskDialog {...{ operation, rows, unfit, act, onClose }} />;
  }
  const { schema } = context.tab;
  if (!isInput(operation) || !schema) return null;
  const [row] = rows;
  const act = (variables: Variables) => run(row, variables);
  return <FormDialog {...{ operation, row, schema, act, onClose }} send={context.send} />;
}

const isAsking = (operation: RowOperation): operation is AskingOperation =>
  operation.does.kind === "asks";

const isInput = (operation: RowOperation): operation is InputOperation =>
  operation.does.kind === "takes input";

/** Shows in the tab's answer what has become of the object. */
function show(
  { type, does }: RowOperation,
  row: Values,
  data: Values,
  { schema, answered, setAnswer }: ActionContext["tab"],
): void {
  if (!schema || !answered) return;
  const [object] = Object.values(data);
  const known = does.kind === "asks" && does.changes ? { id: row["id"], ...does.changes } : object;
  if (!isObject(known)) return;
  const key = keyOf(type, known);
  const isDeleted = does.kind === "asks" && does.deletes;
  if (key !== undefined) mark(answered.request, key, isDeleted ? "deleted" : "changed");
  setAnswer(changedAnswer(schema, answered, { typeName: type, values: known }));
}
