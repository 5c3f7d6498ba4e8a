/** The message about a field that must be filled in. */
export const MISSING = "This must be filled in.";

const NO_INTEGER = "This is not a whole number.";

const whole: Readonly<Record<string, string>> = {
  Unauthorized: "Sign in to go on.",
  "Forbidden resource": "Your account may not do this.",
  "Invalid credentials": "The e-mail address or the password is wrong.",
  "Too Many Requests": "That was too often.",
  "Service Unavailable": "The service is busy. Try again soon.",
  "Internal Server Error": "The service has failed. Try again later.",
};

/** Plain sentences by the beginning of the message that they replace. The rest of the message replaces the dots. */
const beginnings: Readonly<Record<string, string>> = {
  "should not be empty": MISSING,
  "of non-null type": MISSING,
  "must not be less than ": "This must be at least ….",
  "must not be greater than ": "This must be at most ….",
  "must be shorter than or equal to ": "This may have at most ….",
  "must be longer than or equal to ": "This must have at least ….",
  "must be a decimal from ": "This must be an amount such as 12.50: from ….",
  "must be an email": "This is not an e-mail address.",
  "must be an http or https URL": "This is not an address such as https://example.com/events.",
  "must be an integer number": NO_INTEGER,
  "must be integers": NO_INTEGER,
  "int cannot represent non-integer": NO_INTEGER,
  "int cannot represent non 32-bit": "This number is too large.",
  "float cannot represent": "This is not a number.",
};

/** A message of the service in plain words. Messages that are plain already stay as they are. */
export function plainly(message: string): string {
  const said = Object.hasOwn(whole, message) ? whole[message] : undefined;
  if (said !== undefined) return said;
  if (message.includes(" can't become ")) return message.replace(/[A-Z]{2,}/g, lowerCase);
  const text = message.slice(0, 1).toLowerCase() + message.slice(1);
  const found = Object.entries(beginnings).find(([beginning]) => text.startsWith(beginning));
  return found ? found[1].replace("…", () => text.slice(found[0].length)) : message;
}

const lowerCase = (word: string): string => word.toLowerCase();
