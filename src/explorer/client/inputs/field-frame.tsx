import * as React from "react";
import { useForm, type FieldProps, type FieldState } from "./form-context";

interface FrameProps extends FieldProps {
  readonly state: FieldState;
  /** Replaces the field's own label. */
  readonly label?: string | undefined;
  /** An unobtrusive remark about the value. */
  readonly note?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A control under its label, with its messages and its help. */
export function FieldFrame({
  state,
  label,
  note,
  children,
  ...props
}: FrameProps): React.ReactNode {
  const { field } = props;
  return (
    <div className="input-field">
      <label className="input-label" id={state.ids.label} htmlFor={state.control.id}>
        {label ?? field.label} <Marks field={field} isGroup={false} />
      </label>
      {children}
      <Faults state={state} />
      {note}
      <Help {...props} state={state} />
    </div>
  );
}

interface GroupProps extends FrameProps {
  readonly className: string;
  /** Whether the group is one of radio buttons, which are one control. */
  readonly isRadioGroup?: boolean;
}

/** Controls that belong together, under their legend. */
export function GroupFrame(props: GroupProps): React.ReactNode {
  const { className, isRadioGroup, state, note, children, field, label } = props;
  const { "aria-describedby": describedBy, id, ...control } = state.control;
  return (
    <fieldset
      className={`input-group ${className}`}
      id={id}
      aria-describedby={describedBy}
      aria-labelledby={state.ids.label}
      {...(isRadioGroup && { role: "radiogroup", ...control })}
    >
      <legend className="input-label" id={state.ids.label}>
        {label ?? field.label} <Marks field={field} isGroup={!isRadioGroup} />
      </legend>
      {isRadioGroup ? (
        <>
          {children}
          <Faults state={state} />
          {note}
          <Help {...props} />
        </>
      ) : (
        <>
          <Help {...props} />
          <Default field={field} />
          <Faults state={state} />
          {note}
          {children}
        </>
      )}
    </fieldset>
  );
}

interface MarksProps extends Pick<FieldProps, "field"> {
  /** A group can't have `aria-required`, so it says so in words. */
  readonly isGroup: boolean;
}

function Marks({ field, isGroup }: MarksProps): React.ReactNode {
  return (
    <>
      {field.isRequired && !field.isElement && (
        <span className="input-required">
          <span aria-hidden="true">*</span>
          {isGroup && <span className="input-unseen">(required)</span>}
        </span>
      )}
      {field.deprecationReason !== undefined && (
        <span className="input-deprecated">Deprecated</span>
      )}
    </>
  );
}

function Help({ field, state }: Pick<FrameProps, "field" | "state">): React.ReactNode {
  const { description, deprecationReason } = field;
  if (description === undefined && deprecationReason === undefined) return null;
  return (
    <p className="input-help" id={state.ids.help}>
      {[deprecationReason, description?.replaceAll("`", "")].filter(Boolean).join(" ")}
    </p>
  );
}

/** The default of an absent field, for fields whose control can't show it. */
export function Default({ field }: Pick<FieldProps, "field">): React.ReactNode {
  return field.defaultText && <p className="input-help">Default: {field.defaultText}</p>;
}

function Faults({ state }: Pick<FrameProps, "state">): React.ReactNode {
  if (state.faults.length === 0) return null;
  return (
    <div className="input-faults" id={state.ids.faults}>
      {state.faults.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </div>
  );
}

/** Says which value is sent if the control can't show it, with a button to clear the value. */
export function OddValue({ field, path, value }: FieldProps): React.ReactNode {
  const form = useForm();
  const clear = () => {
    form.change(path, undefined);
    const control = document.getElementById([form.id, ...path].join("-"));
    const inner =
      control?.matches("fieldset") && control.querySelector<HTMLElement>("input, .button");
    (inner || control)?.focus();
  };
  return (
    <p className="input-note">
      {value === "" ? "Sent as empty text." : <>Sent as {shortened(value)}.</>}{" "}
      {!field.isElement && (
        <button
          type="button"
          className="input-link"
          aria-label={`Clear ${field.label.toLowerCase()}`}
          onClick={clear}
        >
          Clear
        </button>
      )}
    </p>
  );
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
