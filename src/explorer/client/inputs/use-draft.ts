import * as React from "react";
import { isSame } from "./values";

interface Draft {
  readonly text: string;
  readonly value: unknown;
}

/** What is being typed, and how the value is shown meanwhile. */
export interface Drafting {
  /** The text of the control. */
  readonly text: string;
  readonly isTyping: boolean;
  /** Notes the text that has been typed, and the value that it means. */
  readonly type: (text: string, value: unknown) => void;
  /** To be called when the control is left: from then on, the value is shown in its usual form. */
  readonly end: () => void;
}

/** Shows a text as it was typed for as long as the variables have the value that it means. */
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
