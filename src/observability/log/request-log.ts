import { randomUUID } from "node:crypto";
import { isNativeError } from "node:util/types";
import type { Request, RequestHandler } from "express";
import pino, { stdTimeFunctions, type DestinationStream, type Logger } from "pino";
import type { LogLevel, LogSettings } from "../../config/settings";
import { addressOf, keepAddress } from "../../http/request/client-address";
import {
  currentRequest,
  inRequest,
  outcomeOf,
  type RequestContext,
} from "../../http/request/request-context";
import { traceOf } from "../../http/request/request-headers";
import { pathOf } from "../../http/request/well-formed";
import { messageOf } from "../../vocabulary/errors";
import { masked } from "./masks";
import { withoutValues } from "./statement-text";

let standardOutput: DestinationStream | undefined;

/**
 * A logger that writes one JSON object a line, with the level's name, ISO 8601 times in UTC and masked
 * secrets. Each line that is written for a request has its id, trace and operation. JSON escapes line
 * breaks, so that no value can forge a line.
 */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = (standardOutput ??= batched(process.stdout)),
): Logger {
  const stream = { write: (line: string) => destination.write(masked(line)) };
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
      mixin: () => currentRequest() ?? {},
      // The last line of a request names the request itself.
      mixinMergeStrategy: (line, request) => ("method" in line ? line : { ...request, ...line }),
      serializers: { err: describeError },
    },
    stream,
  );
}

/**
 * Writes the lines of one turn of the event loop together, because writing a line takes longer than composing it.
 * The last lines are written when the process exits.
 */
function batched(stream: DestinationStream): DestinationStream {
  let lines = "";
  const flush = (): void => {
    const text = lines;
    lines = "";
    if (text !== "") stream.write(text);
  };
  process.once("exit", flush);
  return {
    write: (line) => {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
}

const HEADER = "X-Request-Id";

/** The most characters of a path and of a reason that are logged. */
const PATH_LENGTH = 1000;
const REASON_LENGTH = 300;

/** A text for the log. It is masked before it is cut, because half a secret would not be recognised. */
function logged(text: string, length: number): string {
  const shown = masked(text);
  return shown.length > length
    ? `${shown.slice(0, length)}… (${text.length} characters, cut)`
    : shown;
}

/**
 * Gives each request an id, or takes the client's if that is plain, and returns it in `X-Request-Id`. Logs one line
 * when the request is over, with the reason if it was refused. Every line that is logged for the request has the
 * id, and the trace of its `traceparent` header. Headers, bodies and queries are not logged: they contain secrets
 * and personal data.
 */
export const requestLog =
  (logger: Logger, { clientAddress }: LogSettings): RequestHandler =>
  (request, response, next) => {
    const context = contextOf(request);
    const path = logged(pathOf(request.originalUrl), PATH_LENGTH);
    const { method } = request;
    keepAddress(request);
    const started = performance.now();
    response.setHeader(HEADER, context.id);
    response.once("close", () => {
      const milliseconds = Math.round(performance.now() - started);
      const outcome = response.writableFinished ? "answered" : "cut off";
      const { statusCode: status } = response;
      const { code, reason, isTurnedAway } = outcomeOf(context) ?? {};
      // Every member by name, because a spread takes longer than the rest of the line; `satisfies` notices a member of
      // the context that is missing. Pino leaves out what is undefined.
      const line = {
        id: context.id,
        trace_id: context.trace_id,
        parent_id: context.parent_id,
        operation: context.operation,
        administrator: context.administrator,
        method,
        path,
        status,
        milliseconds,
        code,
        reason: reason === undefined ? undefined : logged(reason, REASON_LENGTH),
        client: isTurnedAway && clientAddress ? addressOf(request) : undefined,
      } satisfies Record<keyof RequestContext, unknown> & Record<string, unknown>;
      // The event may come while another request of the connection is being served.
      logger.info(line, outcome);
    });
    inRequest(context, next);
  };

function contextOf({ headers }: Request): RequestContext {
  const given = headers["x-request-id"];
  const id = typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  const { traceparent } = headers;
  return typeof traceparent === "string" ? { id, ...traceOf(traceparent) } : { id };
}

/** The members that errors of Sequelize and of the pg client have in addition to those of every error. */
interface DatabaseFailure extends Error {
  /** A SQLSTATE, or a code of Node's such as `ECONNREFUSED`. */
  readonly code?: unknown;
  /** The pg client's error, if this is Sequelize's error around it. */
  readonly parent?: { readonly code?: unknown };
  /** The statement that failed. */
  readonly sql?: unknown;
}

/**
 * What the log says about an error. It has these members only: others carry values, such as PostgreSQL's `detail`,
 * `where` and `internalQuery`, and the parameters of the statement. If a value itself is wrong, the message quotes
 * it; the log has `…` instead.
 */
function describeError(error: unknown): unknown {
  if (!isNativeError(error)) return error;
  const { name, stack, sql, code, parent }: DatabaseFailure = error;
  const reason = code ?? parent?.code;
  const quotesValue = typeof reason === "string" && isDataException(reason);
  return {
    type: name,
    message: quotesValue ? withoutQuoted(messageOf(error)) : messageOf(error),
    ...(typeof reason === "string" && { code: reason }),
    ...(typeof sql === "string" && { statement: withoutValues(sql) }),
    stack: quotesValue ? stackWithoutQuoted(error) : stack,
  };
}

/** Whether a SQLSTATE is in the class of errors about values. Codes of Node begin with a letter. */
const isDataException = (code: string): boolean => code.startsWith("22");

/** The stack without quoted values. A stack begins with the message, except in errors of Sequelize. */
function stackWithoutQuoted({ message, stack = "" }: Error): string {
  const at = stack.indexOf(message);
  if (at < 0) return stack;
  return stack.slice(0, at) + withoutQuoted(message) + stack.slice(at + message.length);
}

/** The quotes in PostgreSQL's messages, in all its languages. */
const QUOTES = ['"', "«", "»", "„", "“", "”"];

/**
 * A message of PostgreSQL with `…` for everything between the first quote and the last one, because a value may
 * have quotes too.
 */
function withoutQuoted(message: string): string {
  const found = QUOTES.map((quote) => message.indexOf(quote)).filter((at) => at >= 0);
  if (found.length === 0) return message;
  const first = Math.min(...found);
  const last = Math.max(...QUOTES.map((quote) => message.lastIndexOf(quote)));
  return `${message.slice(0, first + 1)}…${last > first ? message.slice(last) : ""}`;
}
