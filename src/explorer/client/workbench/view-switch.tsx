import * as React from "react";

interface ViewSwitchProps<View extends string> {
  /** The name of the choice, for screen readers. */
  readonly label: string;
  readonly views: readonly View[];
  readonly current: View;
  readonly onChange: (view: View) => void;
}

/** A choice between views of one thing: radio buttons that look like one button. */
export function ViewSwitch<View extends string>(props: ViewSwitchProps<View>): React.ReactNode {
  const name = React.useId();
  return (
    <fieldset className="view-switch">
      <legend>{props.label}</legend>
      {props.views.map((view) => (
        <label key={view}>
          <input
            type="radio"
            name={name}
            checked={view === props.current}
            onChange={() => props.onChange(view)}
          />
          <span>{view}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The chosen view, and a function that chooses another one. The choice is remembered, for all tabs. */
export function useView<View extends string>(
  preferences: Storage,
  name: string,
  views: readonly [View, ...View[]],
): [View, (view: View) => void] {
  const key = `tea-shop:view:${name}`;
  const [stored, setStored] = React.useState(() => preferences.getItem(key));
  const change = (view: View) => {
    preferences.setItem(key, view);
    setStored(view);
  };
  return [views.find((view) => view === stored) ?? views[0], change];
}
