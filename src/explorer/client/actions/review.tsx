import * as React from "react";
import type { Difference } from "./differences";
import { DifferencesTable } from "./differences-table";
import type { ValueSource } from "./shown-value";

interface ReviewProps {
  readonly differences: readonly Difference[];
  readonly source: ValueSource;
  /** What the mutation does. */
  readonly verb: string;
  readonly isBusy: boolean;
  readonly onSend: () => void;
  readonly onEdit: () => void;
  readonly onDiscard: () => void;
}

/** Shows how somebody else has changed the object of a form meanwhile, and lets the administrator decide. */
export function Review(props: ReviewProps): React.ReactNode {
  const { differences, source, verb, isBusy, onSend, onEdit, onDiscard } = props;
  const edit = React.useRef<HTMLButtonElement>(null);
  // Also if it has changed once more: the button that had the focus must not agree to that.
  React.useEffect(() => edit.current?.focus(), [differences]);
  return (
    <>
      <p role="alert">Somebody else has changed this meanwhile. Nothing of yours is saved yet.</p>
      <DifferencesTable {...{ differences, source }} />
      <p>If you go on, only what you want is changed. All the rest stays as it is now.</p>
      <div className="action-buttons">
        <button
          type="button"
          className="button"
          aria-disabled={isBusy}
          onClick={(event) => event.detail < 2 && onSend()}
        >
          {verb} all the same
        </button>
        <button ref={edit} type="button" className="button" onClick={onEdit}>
          Back to the form
        </button>
        <button type="button" className="button" onClick={onDiscard}>
          Leave it as it is
        </button>
      </div>
    </>
  );
}
