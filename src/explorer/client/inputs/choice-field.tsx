import { isEnumType } from "graphql";
import * as React from "react";
import { FieldFrame, GroupFrame, OddValue } from "./field-frame";
import { useField, useForm, type FieldProps } from "./form-context";
import { words } from "./names";

interface Option {
  readonly label: string;
  /** Undefined if the field is absent. */
  readonly value: unknown;
  readonly description?: string | undefined;
}

/** The most values that are shown as radio buttons; more are in a list. */
const MOST = 3;

/** A choice between a few values: those of an enum, or yes and no. A field that may be absent has a choice for that. */
export function ChoiceField(props: FieldProps): React.ReactNode {
  const { field, path, value } = props;
  const form = useForm();
  const state = useField(props);
  const values = valuesOf(props);
  const mayBeAbsent = !field.isRequired && !field.isElement;
  const options = mayBeAbsent ? [absent(field), ...values] : values;
  const current = options.findIndex((option) => option.value === value);
  const choose = (option: Option | undefined) => form.change(path, option?.value);
  const note = current < 0 && value !== undefined && <OddValue {...props} />;
  if (values.length > MOST) {
    return (
      <FieldFrame {...props} state={state} note={note}>
        <select
          {...state.control}
          className="input-control"
          value={current}
          onChange={(event) => choose(options[Number(event.target.value)])}
        >
          {current < 0 && <option value={-1}>Choose…</option>}
          {options.map(({ label, description }, index) => (
            <option key={label} value={index} title={description}>
              {label}
            </option>
          ))}
        </select>
      </FieldFrame>
    );
  }
  return (
    <GroupFrame {...props} className="input-choice" isRadioGroup state={state} note={note}>
      <div className="view-switch">
        {options.map((option, index) => (
          <label key={option.label} title={option.description}>
            <input
              type="radio"
              name={state.control.id}
              checked={index === current}
              onChange={() => choose(option)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </GroupFrame>
  );
}

function valuesOf({ field: { type } }: FieldProps): readonly Option[] {
  if (!isEnumType(type)) return Object.entries(YES_NO).map(([label, value]) => ({ label, value }));
  return type.getValues().map(({ name, description }) => ({
    label: words(name),
    value: name,
    description: description ?? undefined,
  }));
}

const YES_NO = { Yes: true, No: false };

function absent({ defaultText, type }: FieldProps["field"]): Option {
  const given = defaultText === "true" ? "yes" : defaultText === "false" ? "no" : defaultText;
  const told = given !== undefined && isEnumType(type) ? words(given).toLowerCase() : given;
  return { label: told === undefined ? "Not set" : `Default: ${told}`, value: undefined };
}
