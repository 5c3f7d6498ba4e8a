import * as React from "react";
import { Default, FieldFrame, OddValue } from "./field-frame";
import { useField, useForm, type FieldProps } from "./form-context";
import { textForms } from "./texts";
import { instantOf, localOf } from "./times";
import { useDraft } from "./use-draft";

/** A point in time, as a picker in the reader's zone, or as text if a picker can't show it. */
export function TimeField(props: FieldProps): React.ReactNode {
  const { field, path, value } = props;
  const form = useForm();
  const isPickable = value === undefined || value === null || localOf(value) !== undefined;
  // While the field has the focus, it stays a picker or a text: another control would lose the focus.
  const [held, setHeld] = React.useState<boolean>();
  const isPicker = held ?? isPickable;
  const { textOf } = textForms.text;
  const draft = useDraft(value, isPicker ? (instant) => localOf(instant) ?? "" : textOf);
  const state = useField(props);

  const edit = (text: string) => {
    const edited = text === "" ? undefined : isPicker ? instantOf(text) : text;
    draft.type(text, edited);
    form.change(path, edited);
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
        onChange={(event) => edit(event.target.value)}
        onFocus={() => setHeld(isPickable)}
        onBlur={() => {
          setHeld(undefined);
          draft.end();
        }}
      />
    </FieldFrame>
  );
}
