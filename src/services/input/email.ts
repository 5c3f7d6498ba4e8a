import { invalid, tooLong, type Fault } from "../../vocabulary/reasons";
import {
  EMAIL_MAX_LENGTH,
  isEmailAddress,
  isNewEmailAddress,
  normalAddress,
} from "../../vocabulary/text/email-address";
import { all, Converted, empty, rule } from "./rules";

/** An e-mail address to look for: any that may be stored. */
export const Email = (): PropertyDecorator => EmailIf(isEmailAddress);

/** An e-mail address to store, in NFC; its letter case stays as given. */
export const NewEmail = (): PropertyDecorator =>
  all(
    Converted((value) => (typeof value === "string" ? normalAddress(value) : value)),
    EmailIf(isNewEmailAddress),
  );

const EmailIf = (accepts: (value: unknown) => boolean): PropertyDecorator =>
  rule("email", (value) => emailFault(value, accepts));

/** The fault of a value that must be an e-mail address, as `accepts` judges it. */
function emailFault(value: unknown, accepts: (value: unknown) => boolean): Fault | undefined {
  if (accepts(value)) return undefined;
  const fault = invalid("must be an email");
  if (value === "") return { ...fault, reason: empty.reason };
  const isLong = typeof value === "string" && value.length > EMAIL_MAX_LENGTH;
  return isLong ? tooLong(fault.message, EMAIL_MAX_LENGTH) : fault;
}
