import * as React from "react";
import { faultsOfNoField } from "../inputs/faults";
import { OperationForm } from "../inputs/operation-form";
import { isObject } from "../objects";
import { operationOf } from "../operation-of";
import type { Answer, Fault } from "../service";
import { changedOnly } from "./changed-only";
import { differencesOf, type Difference } from "./differences";
import { Faults } from "./faults";
import type { FormDialogProps } from "./form-dialog";
import { rebased, wantedBy, type Seen } from "./rebased";
import { Review } from "./review";
import { useWarning } from "./use-warning";

interface InputFormProps extends FormDialogProps {
  /** What the form begins with. */
  readonly first: Seen;
  /** Whether the request is under way. Then the dialog can't be dismissed. */
  readonly isSending: React.MutableRefObject<boolean>;
  readonly onDismiss: () => void;
}

const NONE: readonly string[] = [];

const NOTHING = "Nothing was changed";

/**
 * The form itself. Submitting it needs no further question, unless somebody else has changed the object meanwhile.
 * Values that the service refuses stay in the form.
 */
export function InputForm(props: InputFormProps): React.ReactNode {
  const { operation, schema, send, source, onClose, onDismiss } = props;
  const { query, does } = operation;
  const definition = React.useMemo(() => operationOf({ query })?.operation, [query]);
  const { variables, setVariables, answer, differences, isBusy, submit, edit } = useSubmit(props);
  const form = React.useRef<HTMLFormElement>(null);
  useWarning(isBusy);
  const isReviewed = differences !== undefined;
  React.useEffect(() => focusFirst(form.current), [isReviewed]);
  if (differences) {
    return (
      <Review
        {...{ differences, source, isBusy }}
        verb={does.verb}
        onSend={() => void submit()}
        onEdit={() => isBusy || edit()}
        onDiscard={() => isBusy || onClose(NOTHING)}
      />
    );
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
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

function useSubmit({ operation, act, onClose, first, isSending }: InputFormProps) {
  const { onlyChanges, done } = operation.does;
  const [seen, setSeen] = React.useState(first);
  const [variables, setVariables] = React.useState(first.variables);
  /** Between what was seen, what is there now, and what is wanted; after a conflict. */
  const [differences, setDifferences] = React.useState<readonly Difference[]>();
  const [answer, setAnswer] = React.useState<Answer>();
  const [isBusy, setBusy] = React.useState(false);
  const submit = async (): Promise<void> => {
    if (isSending.current) return;
    const sends = onlyChanges ? changedOnly(seen.variables, variables, onlyChanges) : variables;
    if (!sends) {
      onClose(NOTHING);
      return;
    }
    isSending.current = true;
    setBusy(true);
    const result = await act(sends);
    isSending.current = false;
    setBusy(false);
    const { failure } = result;
    if (failure?.present) {
      const wanted = wantedBy(operation, sends);
      setDifferences(differencesOf({ seen: seen.values, now: failure.present, wanted }));
      const next = rebased(operation, sends, failure.present);
      setSeen(next.seen);
      setVariables(next.variables);
      setAnswer(undefined);
      return;
    }
    setDifferences(undefined);
    const [values] = Object.values(result.answer.data ?? {});
    setAnswer(failure?.isConflict ? { errors: failure.messages.map(asFault) } : result.answer);
    if (!failure) onClose(done(isObject(values) ? values : {}));
  };
  const edit = () => setDifferences(undefined);
  return { variables, setVariables, answer, differences, isBusy, submit, edit };
}

const asFault = (message: string): Fault => ({ message });

/** Focuses the first control and selects its text, which is most likely to be replaced. */
function focusFirst(form: HTMLFormElement | null): void {
  const first = form?.querySelector<HTMLElement>("input, select, textarea");
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}
