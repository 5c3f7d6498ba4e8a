import * as React from "react";
import { FieldFrame, OddValue } from "./field-frame";
import { useField, useForm, type FieldProps } from "./form-context";
import { textForms, type TextKind } from "./texts";
import { useDraft } from "./use-draft";

interface TextFieldProps extends FieldProps {
  readonly kind: TextKind;
}

/** Names of fields whose texts may have several lines. */
const LONG = /(description|text|body|content|note|message)s?$/i;

/** Names of fields whose texts are trimmed: the keyboards of phones add a blank after a word. */
const TRIMMED = /(email|address|search)$/i;

/** A value as a text: a text itself, a number, an amount, or the JSON of an unknown scalar. */
export function TextField({ kind, ...props }: TextFieldProps): React.ReactNode {
  const { field, path, value } = props;
  const form = useForm();
  const { textOf, valueOf, faultOf, inputMode } = textForms[kind];
  const draft = useDraft(value, textOf);
  const state = useField(props, faultOf(value), draft.isTyping);
  const wasAbsent = React.useRef(value === undefined);
  const isLong = useLongText(kind === "text" ? field.name : "", value);

  const edit = (text: string) => {
    // A field that was absent before somebody typed into it is absent again when it is emptied.
    const dropsEmpty = !field.isRequired && !field.isElement && wasAbsent.current;
    const meant = TRIMMED.test(field.name) ? text.trim() : text;
    const edited = meant === "" && dropsEmpty ? undefined : valueOf(meant);
    draft.type(text, edited);
    form.change(path, edited);
  };
  const control = {
    ...state.control,
    className: "input-control",
    value: draft.text,
    placeholder: field.defaultText && `Default: ${field.defaultText}`,
    onChange: (event: { target: { value: string } }) => edit(event.target.value),
    onFocus: () => (wasAbsent.current = value === undefined),
    onBlur: draft.end,
  };
  const isOdd = value === null || (value === "" && (!field.isRequired || kind !== "text"));
  return (
    <FieldFrame
      {...props}
      state={state}
      note={isOdd && !field.isElement && <OddValue {...props} />}
    >
      {isLong ? (
        <textarea {...control} rows={3} />
      ) : (
        <input {...control} {...typeOf(field.name)} inputMode={inputMode} />
      )}
    </FieldFrame>
  );
}

/** Whether the field shows several lines. It goes on doing so, because another control would lose the focus. */
function useLongText(name: string, value: unknown): boolean {
  const isLong = React.useRef(LONG.test(name));
  if (name !== "" && typeof value === "string" && value.includes("\n")) isLong.current = true;
  return isLong.current;
}

/** Whether the text of a field with this name must not be shown. */
const isSecret = (name: string): boolean => name.toLowerCase().includes("password");

function typeOf(name: string): { type: string; autoComplete: string } {
  if (!isSecret(name)) return { type: "text", autoComplete: "off" };
  const isNew = name.toLowerCase().includes("new");
  return { type: "password", autoComplete: isNew ? "new-password" : "current-password" };
}
