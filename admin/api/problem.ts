import { HttpError } from "react-admin";
import { sentence } from "../texts";
import { Failure, type Reason } from "./post";

/** What a person is told of a failure, with a message for each field that is meant. */
export function problemOf(fault: unknown): Error {
  if (!(fault instanceof Failure)) return fault as Error;
  const { reasons, messages, status = 0, code } = fault;
  const errors: Record<string, string> = {};
  reasons.forEach((reason, index) => {
    if (reason.path !== undefined) errors[reason.path] ??= sentenceOf(reason, messages[index]);
  });
  const [first] = reasons;
  const message = first ? sentenceOf(first, messages[0]) : sentence(fault.message);
  return new HttpError(message, status, { code, reasons, errors });
}

const sentenceOf = (reason: Reason, message = ""): string =>
  sentence(`shop.reasons.${reason.code}`, { ...reason, message, _: message });

/** Whether somebody has changed the thing since it was shown. */
export function isConflict(fault: unknown): boolean {
  if (!(fault instanceof HttpError)) return false;
  const { reasons = [] } = fault.body as { reasons?: readonly Reason[] };
  return reasons.some(({ code }) => code === "VERSION");
}
