import { element } from "../element";
import { messageOf } from "../message-of";
import { plainly } from "../plain-words";
import type { Keeper } from "../session/keeper";
import { onChange, type Session } from "../session/session";
import { changePassword, Refusal } from "../session/tokens";
import { say } from "./status";

/** The ids of the inputs, by the names that the service gives their fields. */
const FIELDS = {
  currentPassword: "current-password",
  newPassword: "new-password",
  again: "again-password",
} as const;

/** The dialog in which administrators change their own password. */
export function showPasswordDialog(session: Session, keeper: Keeper): void {
  const dialog = element<HTMLDialogElement>("password-dialog");
  const form = element<HTMLFormElement>("password-form");
  const clear = () => {
    form.reset();
    showFaults([]);
  };
  element("password-button").addEventListener("click", () => {
    clear();
    const username = form.elements.namedItem("username") as HTMLInputElement;
    username.value = session.current?.email ?? "";
    dialog.showModal();
  });
  element("password-cancel").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    // The event comes with the next frame, when the dialog may be open again and filled in.
    if (!dialog.open) clear();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(keeper, dialog);
  });
  onChange(session, () => {
    if (!session.current) dialog.close();
  });
}

async function submit(keeper: Keeper, dialog: HTMLDialogElement): Promise<void> {
  const button = element<HTMLButtonElement>("password-submit");
  const next = valueOf("newPassword");
  showFaults([]);
  if (next !== valueOf("again")) {
    showFaults(["again The two new passwords differ"]);
    return;
  }
  button.disabled = true;
  try {
    const current = valueOf("currentPassword");
    await keeper.replace((token) => changePassword(token, current, next));
    dialog.close();
    say("Password changed");
  } catch (fault) {
    if (fault instanceof Refusal) showFaults(fault.messages);
    else showFaults([messageOf(fault)]);
  } finally {
    button.disabled = false;
  }
}

const isField = (name: string): name is keyof typeof FIELDS => Object.hasOwn(FIELDS, name);

/** Shows each message beside the field whose name it begins with, or below all fields if there is none. */
function showFaults(messages: readonly string[]): void {
  const texts: Record<string, string> = {};
  for (const message of messages) {
    const [first = "", ...rest] = message.split(" ");
    const isWrong = message === "Invalid credentials";
    const field = isWrong ? "currentPassword" : first;
    const id = isField(field) ? FIELDS[field] : "password";
    const ofField = field === first && id !== "password" ? rest.join(" ") : message;
    const text = isWrong ? "This is not your password." : plainly(ofField);
    texts[id] ??= text.charAt(0).toUpperCase() + text.slice(1);
  }
  for (const id of [...Object.values(FIELDS), "password"]) {
    element(`${id}-fault`).textContent = texts[id] ?? "";
  }
  const inputs = Object.values(FIELDS).map((id) => element<HTMLInputElement>(id));
  for (const input of inputs) input.setAttribute("aria-invalid", String(input.id in texts));
  inputs.find(({ id }) => id in texts)?.focus();
}

const valueOf = (field: keyof typeof FIELDS): string =>
  element<HTMLInputElement>(FIELDS[field]).value;
