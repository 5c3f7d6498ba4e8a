import * as React from "react";
import { isSame } from "./values";

interface Draft {
  readonly text: string;
  readonly value: unknown;
}

/** A text that is being typed, and the value's own text otherwise. */
export interface Drafting {
  /** The text of the control. */
  readonly text: string;
  readonly isTyping: boolean;
  /** Call it when a text was typed, with the value that the text means. */
  readonly type: (text: string, value: unknown) => void;
  /** Call it when the control loses the focus: from then on, the value is shown in its usual form. */
  readonly end: () => void;
}

/** Shows a text as it was typed, as long as the variables have the value that the text means. */
export function useDraft(value: unknown, textOf: (value: unknown) => string): Drafting {
  const [draft, setDraft] = React.useState<Draft>();
  const isTyping = draft !== undefined && isSame(draft.value ?? null, value ?? null);
  return {
    text: isTyping ? draft.text : textOf(value),
    isTyping,
    type: (text, typed) => setDraft({ text, value: typed }),
    end: () => setDraft(undefined),
  };
}
