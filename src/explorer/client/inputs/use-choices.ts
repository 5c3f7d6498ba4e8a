import * as React from "react";
import type { Answer, Request } from "../service";
import {
  askForChoices,
  choicesLike,
  type Choice,
  type ChoiceFilter,
  type Reference,
} from "./references";

/** Milliseconds without a key press before the service is asked. */
const PAUSE = 200;

/** The most choices that are shown. */
const MOST = 50;

export interface Choices {
  /** The choices that match the text; undefined until they are there. */
  readonly shown: readonly Choice[] | undefined;
  /** Whether the service did not answer with them. */
  readonly isFailed: boolean;
  readonly nameOf: (id: unknown) => string | undefined;
  /** Looks for choices that match the text. An empty text finds all choices, or the first ones. */
  readonly look: (text: string) => void;
  /** Remembers the name of the chosen object. */
  readonly keep: (choice: Choice) => void;
}

/**
 * The choices of a field of ids.
 *
 * @param value the id whose name is asked for as well; undefined while the user is typing
 */
export function useChoices(
  reference: Reference,
  send: (request: Request) => Promise<Answer>,
  value: unknown,
): Choices {
  const { isSearched, hasIds } = reference;
  const [text, setText] = React.useState("");
  const [found, setFound] = React.useState<readonly Choice[]>();
  const [kept, setKept] = React.useState<Choice>();
  const [isFailed, setFailed] = React.useState(false);
  const latest = React.useRef(0);
  const pause = React.useRef<ReturnType<typeof setTimeout>>();
  React.useEffect(() => {
    return () => {
      clearTimeout(pause.current);
      latest.current = NaN; // equals no turn, so that late answers are ignored
    };
  }, []);

  const ask = async (filter: ChoiceFilter, take: (choices: readonly Choice[]) => void) => {
    try {
      take(await askForChoices(reference, send, filter));
    } catch {
      if (!Number.isNaN(latest.current)) setFailed(true);
    }
  };
  const load = (filter: ChoiceFilter) => {
    const turn = (latest.current += 1);
    void ask(filter, (choices) => {
      if (turn !== latest.current) return;
      setFound(choices);
      setFailed(false);
    });
  };
  const look = (wanted: string) => {
    setText(wanted);
    clearTimeout(pause.current);
    if (!isSearched) {
      if (wanted === "" || !found) load({});
    } else if (wanted.trim() === "") load({});
    else {
      latest.current += 1;
      setFound(undefined);
      pause.current = setTimeout(() => load({ search: wanted.trim() }), PAUSE);
    }
  };

  const all = found ?? [];
  const nameOf = (id: unknown) =>
    [...all, ...(kept ? [kept] : [])].find((one) => one.id === id)?.name;
  const isUnnamed = typeof value === "number" && value > 0 && nameOf(value) === undefined;
  React.useEffect(() => {
    if (!isUnnamed) return;
    if (!isSearched) {
      if (!found) load({});
    } else if (hasIds)
      void ask({ ids: [value] }, ([choice]) => setKept((before) => choice ?? before));
  }, [isUnnamed, value]);

  return {
    shown: found && (isSearched ? byName(found, text) : choicesLike(found, text)).slice(0, MOST),
    isFailed,
    nameOf,
    look,
    keep: setKept,
  };
}

/** Puts choices whose names match first: a search looks at other texts, too. */
function byName(found: readonly Choice[], text: string): readonly Choice[] {
  const like = new Set(choicesLike(found, text));
  return [...like, ...found.filter((choice) => !like.has(choice))];
}
