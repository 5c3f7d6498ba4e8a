import * as React from "react";
import type { Choice } from "./references";

interface ChoiceListProps {
  readonly id: string;
  readonly label: string;
  readonly isShown: boolean;
  /** Undefined while the service is asked for them. */
  readonly choices: readonly Choice[] | undefined;
  /** The index of the choice at which the keyboard points; -1 for none. */
  readonly active: number;
  readonly onChoose: (choice: Choice) => void;
}

/** The list box of a combobox. The focus stays in the text field. */
export function ChoiceList(props: ChoiceListProps): React.ReactNode {
  const { id, label, isShown, choices, active, onChoose } = props;
  const list = React.useRef<HTMLUListElement>(null);
  React.useEffect(() => {
    if (!isShown) return;
    list.current?.scrollIntoView({ block: "nearest" });
    list.current?.children[Math.max(active, 0)]?.scrollIntoView({ block: "nearest" });
  }, [isShown, choices, active]);
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className="input-choices"
      hidden={!isShown}
      // Otherwise the field would lose the focus, and the list would close.
      onMouseDown={(event) => event.preventDefault()}
    >
      {!choices?.length && (
        <li role="option" aria-disabled="true" aria-selected="false">
          {choices ? "None found" : "Searching…"}
        </li>
      )}
      {choices?.map((choice, index) => (
        <li
          key={choice.id}
          id={idOfChoice(id, choice)}
          role="option"
          aria-selected={index === active}
          onClick={() => onChoose(choice)}
        >
          {textOfChoice(choice)}
        </li>
      ))}
    </ul>
  );
}

export const idOfChoice = (list: string, { id }: Choice): string => `${list}-${id}`;

export const textOfChoice = ({ id, name }: { id: unknown; name: string }): string =>
  `${name} (${String(id)})`;
