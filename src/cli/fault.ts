import { isNativeError } from "node:util/types";

/** A command that can't be carried out; the message is for the person who gave it. */
export class CommandFault extends Error {
  override readonly name = "CommandFault";
}

/** What an error says, on one line. */
export function messageOf(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  // Node reports a host with several addresses as a group of errors, without a message of its own.
  if ("errors" in error && Array.isArray(error.errors)) {
    return error.errors.map(messageOf).join("; ");
  }
  const lines = error.message
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.join("; ") || error.name;
}
