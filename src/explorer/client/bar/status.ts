import { element } from "../element";

/**
 * `unseen` is for what the page shows already, and screen readers must be told; `lasting` for what stays true while
 * one goes on to something else.
 */
type Kind = "fault" | "unseen" | "lasting" | "";

/** Says in the bar what has happened. */
export function say(text: string, kind: Kind = ""): void {
  const status = element("status");
  status.textContent = text;
  status.dataset["kind"] = kind;
}

/** Takes back what was said of something that is over. */
export function hush(): void {
  if (element("status").dataset["kind"] !== "lasting") say("");
}
