import { keepFocus } from "./keep-focus";

interface ConfirmOptions {
  /** What the button says that agrees. */
  readonly verb: string;
  /** Whether what it agrees to can't be undone. */
  readonly isDangerous?: boolean;
}

/** Asks in a dialog; Escape is a no. */
export function confirmed(
  question: string,
  { verb, isDangerous = false }: ConfirmOptions,
): Promise<boolean> {
  const returnFocus = keepFocus();
  const dialog = document.createElement("dialog");
  dialog.className = "action-dialog";
  const heading = document.createElement("h2");
  heading.textContent = question;
  heading.id = "confirmed-question";
  dialog.setAttribute("aria-labelledby", heading.id);
  const agree = button(verb, isDangerous ? "button primary dangerous" : "button primary");
  const back = button("Go back", "button");
  const buttons = document.createElement("div");
  buttons.className = "action-buttons";
  buttons.append(agree, back);
  dialog.append(heading, buttons);
  document.body.append(dialog);
  dialog.showModal();
  agree.focus();

  // A key held down since before the dialog opened agrees to nothing.
  dialog.addEventListener("keydown", (event) => {
    if (event.repeat && event.key === "Enter") event.preventDefault();
  });
  back.addEventListener("click", () => dialog.close());
  agree.addEventListener("click", () => dialog.close("agreed"));
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      returnFocus();
      resolve(dialog.returnValue === "agreed");
    });
  });
}

function button(text: string, className: string): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = className;
  element.textContent = text;
  return element;
}
