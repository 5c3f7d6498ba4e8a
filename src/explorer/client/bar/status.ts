import { element } from "../element";

/**
 * `unseen` is for screen readers only: the page shows the same already. `lasting` stays when the user goes on to
 * something else.
 */
type Kind = "fault" | "unseen" | "lasting" | "";

/** Shows a message in the bar. */
export function say(text: string, kind: Kind = ""): void {
  const status = element("status");
  status.textContent = text;
  status.dataset["kind"] = kind;
}

/** Clears the message, unless it is a lasting one. */
export function hush(): void {
  if (element("status").dataset["kind"] !== "lasting") say("");
}
