import { keepFocus } from "./keep-focus";

/**
 * Asks in a dialog before something that can't be undone. Escape means no, and so does Enter right after the dialog
 * opens.
 *
 * @param verb the label of the button that agrees
 */
export function confirmed(question: string, verb: string): Promise<boolean> {
  const returnFocus = keepFocus();
  const dialog = document.createElement("dialog");
  dialog.className = "action-dialog";
  const heading = document.createElement("h2");
  heading.textContent = question;
  heading.id = "confirmed-question";
  dialog.setAttribute("aria-labelledby", heading.id);
  const agree = button(verb, "button primary dangerous");
  const back = button("Go back", "button");
  const buttons = document.createElement("div");
  buttons.className = "action-buttons";
  buttons.append(agree, back);
  dialog.append(heading, buttons);
  document.body.append(dialog);
  dialog.showModal();
  back.focus();
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
