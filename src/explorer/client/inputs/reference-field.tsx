import * as React from "react";
import { ChoiceList, idOfChoice, textOfChoice } from "./choice-list";
import { FieldFrame, OddValue } from "./field-frame";
import type { Field } from "./fields";
import { useField, useForm, type FieldProps } from "./form-context";
import type { Choice, Reference } from "./references";
import { textForms } from "./texts";
import { useChoices } from "./use-choices";
import { useDraft } from "./use-draft";

interface ReferenceFieldProps extends FieldProps {
  readonly reference: Reference;
}

/** An id, chosen by name or typed: an editable combobox with a list box (ARIA 1.2). */
export function ReferenceField({ reference, ...props }: ReferenceFieldProps): React.ReactNode {
  const { field, path, value } = props;
  const form = useForm();
  const { textOf, valueOf } = textForms.whole;
  const [isOpen, setOpen] = React.useState(false);
  const choices = useChoices(reference, form.send, isOpen ? undefined : value);
  const [active, setActive] = React.useState(0);
  const name = choices.nameOf(value);
  const draft = useDraft(value, (id) =>
    name === undefined ? textOf(id) : textOfChoice({ id, name }),
  );
  const isName = typeof value === "string";
  const fault = `Choose a ${reference.label.toLowerCase()} of the list, or type its id.`;
  const input = React.useRef<HTMLInputElement>(null);
  React.useEffect(() => {
    // Select the chosen text, so that typing replaces it.
    if (!draft.isTyping && document.activeElement === input.current) input.current?.select();
  }, [draft.isTyping, draft.text]);
  const isNone = typeof value === "number" && value < 1;
  const state = useField(props, isName || isNone ? fault : undefined, draft.isTyping || isNone);

  const listId = `${state.control.id}-list`;
  const isShown = isOpen && !choices.isFailed;
  const shown = isShown ? choices.shown : undefined;
  const current = shown?.[active];
  const edit = (text: string) => {
    const edited = valueOf(text);
    draft.type(text, edited);
    form.change(path, edited);
    choices.look(text);
    setOpen(true);
    // A typed id stays an id, unless the user moves to a choice.
    setActive(typeof edited === "string" ? 0 : -1);
  };
  const choose = (choice: Choice) => {
    choices.keep(choice);
    draft.end();
    form.change(path, choice.id);
    setOpen(false);
  };
  const open = () => {
    choices.look("");
    setOpen(true);
    setActive(-1);
  };
  const move = (step: number) => {
    if (!isOpen) {
      open();
      return;
    }
    const count = shown?.length ?? 0;
    if (count > 0) setActive((active + step + (active < 0 && step < 0 ? 1 : 0) + count) % count);
  };
  const press = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      if (current) choose(current);
      // A typed name that is not chosen yet is no id, so Enter must not submit the form.
      else if (!isName) return;
    } else if (event.key === "Escape" && isOpen) {
      setOpen(false);
      event.stopPropagation();
    } else {
      if (event.key === "Tab" && current) choose(current);
      return;
    }
    event.preventDefault();
  };
  const isOdd = value === null && !field.isElement;
  return (
    <FieldFrame
      {...props}
      state={state}
      label={field.isElement ? field.label : reference.label}
      note={
        <>
          {choices.isFailed && (
            <p className="input-note">The names could not be loaded; type the id.</p>
          )}
          {isOdd && <OddValue {...props} />}
        </>
      }
    >
      <div className="input-combobox">
        <input
          ref={input}
          {...state.control}
          className="input-control"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={listId}
          aria-activedescendant={current && idOfChoice(listId, current)}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholderOf(field, choices.isFailed)}
          value={draft.text}
          onChange={(event) => edit(event.target.value)}
          onFocus={(event) => event.target.select()}
          onClick={() => isOpen || open()}
          onKeyDown={press}
          onBlur={() => {
            setOpen(false);
            draft.end();
          }}
        />
        <ChoiceList
          id={listId}
          label={reference.label}
          isShown={isShown}
          choices={shown}
          active={active}
          onChoose={choose}
        />
      </div>
    </FieldFrame>
  );
}

function placeholderOf({ defaultText }: Field, isFailed: boolean): string | undefined {
  if (defaultText !== undefined) return `default: ${defaultText}`;
  return isFailed ? undefined : "Name or id";
}
