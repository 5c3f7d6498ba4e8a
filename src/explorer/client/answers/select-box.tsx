import * as React from "react";

interface SelectBoxProps {
  readonly label: string;
  readonly isChecked: boolean;
  /** Whether only some of its rows are selected. */
  readonly isMixed?: boolean;
  /** @param isRange whether the shift key was held */
  readonly onChange: (isRange: boolean) => void;
}

/** A checkbox that selects a row, or with the shift key a range of rows. */
export function SelectBox(props: SelectBoxProps): React.ReactNode {
  const { label, isChecked, isMixed = false, onChange } = props;
  const box = React.useRef<HTMLInputElement>(null);
  // Not every browser says of a click by keyboard which other keys were held.
  const isShiftHeld = React.useRef(false);
  React.useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      onKeyDown={(event) => (isShiftHeld.current = event.shiftKey)}
      onKeyUp={(event) => (isShiftHeld.current = event.shiftKey)}
      onBlur={() => (isShiftHeld.current = false)}
      onChange={({ nativeEvent }) => {
        const isShiftClick = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
        onChange(isShiftClick || isShiftHeld.current);
      }}
    />
  );
}
