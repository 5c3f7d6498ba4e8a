import { element } from "../element";

/** `unseen` is for what the page shows already, and screen readers must be told. */
type Kind = "fault" | "unseen" | "";

/** Says in the bar what has happened. */
export function say(text: string, kind: Kind = ""): void {
  const status = element("status");
  status.textContent = text;
  status.dataset["kind"] = kind;
}
