import { isInputObjectType } from "graphql";
import * as React from "react";
import { isObject, valueOf } from "../objects";
import { GroupFrame, OddValue } from "./field-frame";
import { elementOf, fieldsOfInput, kindOf, type Field } from "./fields";
import { useField, useForm, type FieldProps } from "./form-context";
import { singular, words } from "./names";

/** An input object. If it may be absent, its fields appear only once it is added, so that recursive types end. */
export function ObjectField(props: FieldProps): React.ReactNode {
  const { field, path, value } = props;
  const form = useForm();
  // An object that the operation requires as a variable is shown without a frame.
  const isBare = path.length === 1 && field.isRequired;
  const shownField = isBare ? { ...field, description: undefined } : field;
  const state = useField({ ...props, field: shownField });
  const type = isInputObjectType(field.type) ? field.type : undefined;
  const fields = React.useMemo(() => (type ? fieldsOfInput(type) : []), [type]);
  const mayBeAbsent = !field.isRequired && !field.isElement;
  const name = field.label.toLowerCase();
  const note = value !== undefined && !isObject(value) && <OddValue {...props} />;
  const isFolded = (value === undefined && mayBeAbsent) || (value === null && !field.isRequired);
  const { id } = state.control;
  const isMoving = React.useRef(false);
  React.useEffect(() => {
    // The button that had the focus is gone, so the focus must go elsewhere.
    if (isMoving.current) focusFirst(document.getElementById(id));
    isMoving.current = false;
  }, [isFolded, id]);
  const change = (changed: unknown) => {
    isMoving.current = true;
    form.change(path, changed);
  };
  return (
    <GroupFrame
      {...props}
      field={shownField}
      className={isBare ? "input-bare" : ""}
      state={state}
      note={note}
    >
      {isFolded ? (
        <AddButton name={name} onClick={() => change({})} />
      ) : (
        fields.map((inner) => (
          <form.FieldView
            key={inner.name}
            field={inner}
            path={[...path, inner.name]}
            value={valueOf(value, inner.name)}
          />
        ))
      )}
      {mayBeAbsent && isObject(value) && (
        <RemoveButton name={name} onClick={() => change(undefined)} />
      )}
    </GroupFrame>
  );
}

/** A list, whose elements can be added and removed. */
export function ListField(props: FieldProps): React.ReactNode {
  const { field, path, value } = props;
  const form = useForm();
  const state = useField(props);
  const elements = elementsOf(value);
  const { length } = elements;
  const list = React.useRef<HTMLDivElement>(null);
  const isAdded = React.useRef(false);
  React.useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    const last = list.current?.querySelector(":scope > .input-element:last-of-type");
    focusFirst(last);
  }, [length]);

  const name = words(singular(field.name)).toLowerCase();
  const add = () => {
    isAdded.current = true;
    form.change(path, [...elements, firstValue(elementOf(field, length))]);
  };
  const remove = (index: number) => {
    form.change(path, elements.toSpliced(index, 1));
    list.current?.querySelector<HTMLElement>(":scope > .input-add")?.focus();
  };
  const isOdd = value !== undefined && length === 0 && !field.isRequired;
  return (
    <GroupFrame {...props} className="" state={state} note={isOdd && <OddValue {...props} />}>
      <div className="input-list" ref={list}>
        {elements.map((element, index) => (
          <div className="input-element" key={index}>
            <form.FieldView
              field={elementOf(field, index)}
              path={[...path, index]}
              value={element ?? undefined}
            />
            <RemoveButton name={`${name} ${index + 1}`} onClick={() => remove(index)} />
          </div>
        ))}
        <AddButton name={name} onClick={add} />
      </div>
    </GroupFrame>
  );
}

function focusFirst(group: Element | null | undefined): void {
  group?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
}

/** The elements of a list. A value that is not a list stands for a list of that one value, as in GraphQL. */
function elementsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function firstValue({ type }: Field): unknown {
  const kind = kindOf(type);
  if (kind === "object") return {};
  if (kind === "list") return [];
  return kind === "text" ? "" : null;
}

interface ButtonProps {
  readonly name: string;
  readonly onClick: () => void;
}

function AddButton({ name, onClick }: ButtonProps): React.ReactNode {
  return (
    <button type="button" className="input-add button" onClick={onClick}>
      Add {name}
    </button>
  );
}

function RemoveButton({ name, onClick }: ButtonProps): React.ReactNode {
  return (
    <button type="button" className="input-remove input-link" onClick={onClick}>
      Remove {name}
    </button>
  );
}
