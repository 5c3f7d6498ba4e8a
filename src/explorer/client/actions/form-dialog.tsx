import * as React from "react";
import type { GraphQLSchema } from "graphql";
import { isObject } from "../objects";
import type { InputOperation, Values } from "../operations/row-operation";
import type { Answer, Request, Variables } from "../service";
import { Dialog } from "./dialog";
import { Faults } from "./faults";
import { InputForm } from "./input-form";
import type { Seen } from "./rebased";
import { sent, type Failure, type Sent } from "./sent";
import type { ValueSource } from "./shown-value";
import { GONE } from "./wording";

export interface FormDialogProps {
  readonly operation: InputOperation;
  readonly row: Values;
  readonly schema: GraphQLSchema;
  readonly send: (request: Request) => Promise<Answer>;
  readonly isSignedIn: boolean;
  readonly source: ValueSource;
  readonly act: (variables: Variables) => Promise<Sent>;
  /** Called if the object no longer exists. */
  readonly onGone: () => void;
  /** @param said a message about what has been done, if anything */
  readonly onClose: (said?: string) => void;
}

/** A form for the variables of a mutation. It begins with the values in the row, or with values read for it. */
export function FormDialog(props: FormDialogProps): React.ReactNode {
  const { operation, row, onClose } = props;
  const isSending = React.useRef(false);
  const close = () => {
    if (!isSending.current) onClose();
  };
  const { first, failure, load } = useFirst(props);
  return (
    <Dialog title={operation.does.title(row)} onDismiss={close}>
      {first ? (
        <InputForm {...props} {...{ first, isSending }} onClose={onClose} onDismiss={close} />
      ) : (
        <>
          {failure ? <Faults messages={failure.messages} /> : <p role="status">Loading…</p>}
          <div className="action-buttons">
            {failure && !failure.isForGood && props.isSignedIn && (
              <button type="button" className="button" onClick={() => void load()}>
                Try again
              </button>
            )}
            <button type="button" className="button" onClick={close}>
              Go back
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** What the form begins with, or the reason why it could not be read. */
function useFirst({ operation, row, send, onGone }: FormDialogProps) {
  const { loads } = operation.does;
  const [first, setFirst] = React.useState<Seen | undefined>(
    loads ? undefined : { values: row, variables: operation.variables(row) },
  );
  const [failure, setFailure] = React.useState<Pick<Failure, "messages" | "isForGood">>();
  const load = async (): Promise<void> => {
    if (!loads) return;
    setFailure(undefined);
    const variables = operation.variables(row);
    const { answer, failure: fault } = await sent(send, { query: loads.query, variables });
    const [object] = Object.values(answer.data ?? {});
    if (isObject(object)) setFirst({ values: object, variables: loads.variables(object) });
    else {
      setFailure(fault ?? { messages: [GONE], isForGood: true });
      if (!fault) onGone();
    }
  };
  React.useEffect(() => void load(), []);
  return { first, failure, load };
}
