import { once } from "node:events";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { read } from "read";
import { controlIssue } from "../config/text-forms";
import { OperatorError } from "../vocabulary/errors";
import { addressKey } from "../vocabulary/text/email-address";
import {
  PASSWORD_MAX_BYTES,
  PASSWORD_MIN_LENGTH,
  passwordIssue,
} from "../vocabulary/text/password";
import { note, type Io } from "./io";
import type { CommandSettings } from "./database";

/** The part of help texts that explains where a password comes from. */
export const passwordHelp = `
The password is never an argument. It is the variable ADMIN_PASSWORD, if that is set and ADMIN_EMAIL does not name
another account. Otherwise the command asks for it on a terminal, without showing it, or reads it as the only
line of standard input. It must have at least ${PASSWORD_MIN_LENGTH} characters and at most ${PASSWORD_MAX_BYTES} bytes (UTF-8).`;

/** The most bytes that are read: more than any password has. A wrong file is not read to its end. */
const INPUT_LIMIT = 1024;

/**
 * Obtains the new password of an account.
 *
 * @throws OperatorError if there is no password, or it is not acceptable
 */
export async function newPassword(
  email: string,
  settings: CommandSettings,
  io: Io,
): Promise<string> {
  const password = fromEnvironment(email, settings, io);
  if (password !== undefined) return checked(password);
  if (io.stdin.isTTY !== true) return checked(await onlyLine(io.stdin));
  const first = checked(await ask(`Password for ${email}:`, io));
  if ((await ask("Repeat the password:", io)) !== first)
    throw new OperatorError("The passwords differ");
  return first;
}

function fromEnvironment(
  email: string,
  { adminPassword }: CommandSettings,
  io: Io,
): string | undefined {
  // If ADMIN_EMAIL is set too, the variable is the password of that account only.
  const owner = io.environment.ADMIN_EMAIL || email;
  if (adminPassword === undefined || addressKey(owner) !== addressKey(email)) return undefined;
  const issue = controlIssue(adminPassword);
  if (issue !== undefined) throw new OperatorError(`ADMIN_PASSWORD ${issue}`);
  note(io, "Taking the password from ADMIN_PASSWORD");
  return adminPassword;
}

function checked(password: string): string {
  const issue = passwordIssue(password);
  if (issue) throw new OperatorError(`The password ${issue.message}`);
  return password;
}

async function onlyLine(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    size += bytes.length;
    if (size > INPUT_LIMIT)
      throw new OperatorError("Standard input must be one line: the password");
  }
  const text = decoded(Buffer.concat(chunks)).replace(/\r?\n$/, "");
  if (text === "") throw new OperatorError("No password on standard input");
  if (/[\r\n]/.test(text)) throw new OperatorError("Standard input must be one line: the password");
  return text;
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError("The password on standard input is not UTF-8");
  }
}

async function ask(prompt: string, io: Io): Promise<string> {
  const answer = read({ prompt, silent: true, terminal: true, input: io.stdin, output: io.stderr });
  // At the end of the input (Ctrl-D), `read` pauses the input and never resolves.
  const ended = once(io.stdin, "pause").then(() => setImmediate(undefined));
  const password = await Promise.race([answer, ended]).catch(() => undefined);
  note(io, "");
  if (password === undefined) throw new OperatorError("Cancelled");
  return password;
}
