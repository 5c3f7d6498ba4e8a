import * as React from "react";
import { isObject } from "../objects";
import { reads } from "../operations/reads";
import type { InputOperation, RowOperation, TypeName, Values } from "../operations/row-operation";
import type { Variables } from "../service";
import { AskDialog, type AskingOperation } from "./ask-dialog";
import { changedAnswer } from "./changed-answer";
import { followUp } from "./follow-up";
import { FormDialog } from "./form-dialog";
import { mark, type Mark } from "./marks";
import type { ActionContext } from "./row-actions";
import { sent, type Failure, type Sent } from "./sent";
import { applies, keyOf } from "./values";
import { GONE } from "./wording";

/** An action that has been started on rows. */
export interface Started {
  readonly operation: RowOperation;
  readonly rows: readonly [Values, ...Values[]];
  /** The number of selected rows on which the operation can't run. */
  readonly unfit: number;
}

interface ActionDialogProps extends Started {
  readonly context: ActionContext;
  readonly onClose: (said?: string) => void;
}

/** The dialog of a started action. The answer shows the action's changes at once. */
export function ActionDialog(props: ActionDialogProps): React.ReactNode {
  const { operation, rows, unfit, context, onClose } = props;
  const tab = React.useRef(context.tab);
  // The answer may change while a round runs. Answers of other tabs are ignored.
  if (tab.current.id === context.tab.id) tab.current = context.tab;

  const run = async (row: Values, variables: Variables): Promise<Sent> => {
    const result = await sent(context.send, { query: operation.query, variables });
    const { failure } = result;
    if (!failure) show(operation, row, result.answer.data ?? {}, tab.current);
    if (!failure?.isOutdated) return result;
    const present = await readAgain(row);
    return { ...result, failure: withPresent(operation, failure, present) };
  };
  /** Undefined if it can't be read, and null if it is gone. */
  const readAgain = async ({ id }: Values): Promise<Values | null | undefined> => {
    const query = reads[operation.type];
    if (query === undefined) return undefined;
    const { answer, failure } = await sent(context.send, { query, variables: { id } });
    if (failure) return undefined;
    const [object] = Object.values(answer.data ?? {});
    showObject(operation.type, object ?? { id }, object ? undefined : "deleted", tab.current);
    return isObject(object) ? object : null;
  };
  const isSignedIn = context.isSignedIn !== false;
  // The schema may be loaded anew while the dialog is open.
  const known = React.useRef(context.tab.schema);
  known.current = context.tab.schema ?? known.current;
  const schema = known.current;
  if (!schema) return null;
  const source = { type: operation.type, schema, send: context.send };
  if (isAsking(operation)) {
    const follows = operation.does.followUp;
    const act = async (row: Values) => {
      const { answer, failure } = await run(row, operation.variables(row));
      if (failure || !follows) return failure;
      return followUp(follows, row, answer.data ?? {}, context.send);
    };
    return <AskDialog {...{ operation, rows, unfit, isSignedIn, source, act, onClose }} />;
  }
  if (!isInput(operation)) return null;
  const [row] = rows;
  const act = (variables: Variables) => run(row, variables);
  const onGone = () => void readAgain(row);
  return (
    <FormDialog
      {...{ operation, row, schema, isSignedIn, source, act, onGone, onClose }}
      send={context.send}
    />
  );
}

const isAsking = (operation: RowOperation): operation is AskingOperation =>
  operation.does.kind === "asks";

const isInput = (operation: RowOperation): operation is InputOperation =>
  operation.does.kind === "takes input";

/** A failure, and what is known of its object now: null if it is gone, undefined if it could not be read. */
function withPresent(
  operation: RowOperation,
  failure: Failure,
  present: Values | null | undefined,
): Failure {
  if (!failure.isConflict) return failure;
  if (present === undefined) return { ...failure, isForGood: false };
  if (present === null) return { ...failure, messages: [GONE] };
  const isForGood = !applies(operation, present);
  const message = `It was changed meanwhile${isForGood ? ", and this no longer applies to it" : ""}`;
  return { ...failure, messages: [message], isForGood, present };
}

/** Shows in the tab's answer how an operation has changed the object. */
function show(
  { type, does }: RowOperation,
  row: Values,
  data: Values,
  tab: ActionContext["tab"],
): void {
  const [object] = Object.values(data);
  const known = does.kind === "asks" && does.changes ? { id: row["id"], ...does.changes } : object;
  showObject(type, known, does.kind === "asks" && does.deletes ? "deleted" : "changed", tab);
}

/** Shows the present state of an object in the tab's answer. */
function showObject(
  type: TypeName,
  object: unknown,
  as: Mark | undefined,
  { schema, answered, setAnswer }: ActionContext["tab"],
): void {
  if (!schema || !answered || !isObject(object)) return;
  const key = keyOf(type, object);
  if (key !== undefined && as) mark(answered.request, key, as);
  setAnswer(changedAnswer(schema, answered, { typeName: type, values: object }));
}
