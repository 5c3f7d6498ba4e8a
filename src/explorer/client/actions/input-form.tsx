import * as React from "react";
import { faultsOfNoField } from "../inputs/faults";
import { OperationForm } from "../inputs/operation-form";
import { isObject } from "../objects";
import { operationOf } from "../operation-of";
import type { Answer, Variables } from "../service";
import { changedOnly } from "./changed-only";
import { Faults } from "./faults";
import type { FormDialogProps } from "./form-dialog";
import { useWarning } from "./use-warning";

interface InputFormProps extends FormDialogProps {
  /** The form's first values. */
  readonly initial: Variables;
  /** Whether the request is under way. Then the dialog can't be dismissed. */
  readonly isSending: React.MutableRefObject<boolean>;
  readonly onDismiss: () => void;
}

const NONE: readonly string[] = [];

/** The form itself. Submitting it needs no further question. Values that the service refuses stay in the form. */
export function InputForm(props: InputFormProps): React.ReactNode {
  const { operation, schema, send, initial, onDismiss } = props;
  const { query, does } = operation;
  const definition = React.useMemo(() => operationOf({ query })?.operation, [query]);
  const [variables, setVariables] = React.useState(initial);
  const { answer, isBusy, submit } = useSubmit(props);
  const form = React.useRef<HTMLFormElement>(null);
  useWarning(isBusy);
  React.useEffect(() => focusFirst(form.current), []);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(variables);
      }}
    >
      {definition && (
        <OperationForm
          {...{ schema, variables, answer, send }}
          operation={definition}
          onChange={setVariables}
          hidden={does.hidden ?? NONE}
        />
      )}
      {definition && <Faults messages={faultsOfNoField(answer, schema, definition, does.hidden)} />}
      <div className="action-buttons">
        <button className="button primary" aria-disabled={isBusy}>
          {does.verb}
        </button>
        <button type="button" className="button" onClick={onDismiss}>
          Go back
        </button>
      </div>
    </form>
  );
}

function useSubmit({ operation, act, onClose, initial, isSending }: InputFormProps) {
  const { onlyChanges, done } = operation.does;
  const [answer, setAnswer] = React.useState<Answer>();
  const [isBusy, setBusy] = React.useState(false);
  const submit = async (variables: Variables): Promise<void> => {
    if (isSending.current) return;
    const sends = onlyChanges ? changedOnly(initial, variables, onlyChanges) : variables;
    if (!sends) {
      onClose("Nothing was changed");
      return;
    }
    isSending.current = true;
    setBusy(true);
    const result = await act(sends);
    isSending.current = false;
    setBusy(false);
    const [values] = Object.values(result.answer.data ?? {});
    setAnswer(result.answer);
    if (!result.failure) onClose(done(isObject(values) ? values : {}));
  };
  return { answer, isBusy, submit };
}

/** Focuses the first control and selects its text, which is most likely to be replaced. */
function focusFirst(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>("input, select, textarea");
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}
