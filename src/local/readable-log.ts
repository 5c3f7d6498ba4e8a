import type { DestinationStream } from "pino";
import type { Terminal } from "./terminal";

/**
 * A destination that makes log lines readable for a person. Undefined if a program reads the log, or if the
 * development package for it is not installed: then the lines stay as they are.
 */
export async function readableLog(terminal: Terminal): Promise<DestinationStream | undefined> {
  if (!terminal.isInteractive) return undefined;
  const pretty = await import("pino-pretty").catch(() => undefined);
  if (!pretty) return undefined;
  const readable = pretty.prettyFactory({
    colorize: true,
    singleLine: true,
    translateTime: "SYS:HH:MM:ss",
    ignore: "method,path,status,milliseconds",
    messageFormat: (line, messageKey) => messageOf(line, String(line[messageKey])),
  });
  return { write: (line) => terminal.say(readable(printable(line)).trimEnd()) };
}

/** The line without control characters, which a terminal would obey. The first 32 are escaped in JSON. */
const printable = (line: string): string => line.replace(/\\u00[01][0-9a-f]|[\u007f-\u009f]/g, "?");

/** The members that are shown with the message, of the lines of requests, failures and slow statements. */
interface Line {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly milliseconds?: number;
}

/** The message. For the line of a request, what was asked for and how it was answered. */
function messageOf({ method, path, status, milliseconds = 0 }: Line, message: string): string {
  if (method !== undefined) {
    const outcome = message === "answered" ? "" : ` (${message})`;
    return `${method} ${path} ${status} in ${milliseconds} ms${outcome}`;
  }
  if (path !== undefined) return `${message} at ${path}`;
  return milliseconds > 0 ? `${message}: ${milliseconds} ms` : message;
}
