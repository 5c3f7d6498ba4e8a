import * as React from "react";
import { Default, FieldFrame, OddValue } from "./field-frame";
import { useField, useForm, type FieldProps } from "./form-context";
import { textForms } from "./texts";
import { instantOf, localOf } from "./times";
import { useDraft } from "./use-draft";

/** What the variables have for a part of a time, or one that no calendar has: the service refuses it. */
const INCOMPLETE = "";

/** A point in time, as a picker in the reader's zone, or as text if a picker can't show it. */
export function TimeField(props: FieldProps): React.ReactNode {
  const { field, path, value } = props;
  const form = useForm();
  const isIncomplete = value === INCOMPLETE;
  const isPickable =
    value === undefined || value === null || isIncomplete || localOf(value) !== undefined;
  // While the field has the focus, it stays a picker or a text: another control would lose the focus.
  const [held, setHeld] = React.useState<boolean>();
  const isPicker = held ?? isPickable;
  const { textOf } = textForms.text;
  const draft = useDraft(value, isPicker ? (instant) => localOf(instant) ?? "" : textOf);
  const ownFault = isIncomplete ? "This is not a date with a time." : undefined;
  const state = useField(props, ownFault, draft.isTyping);

  const edit = ({ value: text, validity }: HTMLInputElement) => {
    const meant = text === "" ? undefined : isPicker ? instantOf(text) : text;
    const edited = validity.badInput ? INCOMPLETE : meant;
    draft.type(text, edited);
    form.change(path, edited);
  };
  // A date without a time is no value, so that browsers fire no event for it.
  const readParts = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    if (currentTarget.validity.badInput !== isIncomplete) edit(currentTarget);
  };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <FieldFrame
      {...props}
      state={state}
      note={
        <>
          {value === null && !field.isElement && <OddValue {...props} />}
          <Default field={field} />
          <p className="input-help">{isPicker ? `In the time of ${zone}.` : "In UTC."}</p>
        </>
      }
    >
      <input
        {...state.control}
        key={isPicker ? "picker" : "text"}
        className="input-control"
        type={isPicker ? "datetime-local" : "text"}
        step={isPicker && draft.text.length > "2026-01-31T09:30".length ? 1 : undefined}
        autoComplete="off"
        value={draft.text}
        onChange={(event) => edit(event.target)}
        onKeyDown={readParts}
        onFocus={() => setHeld(isPickable)}
        onBlur={(event) => {
          readParts(event);
          setHeld(undefined);
          draft.end();
        }}
      />
    </FieldFrame>
  );
}
