import contentType from "content-type";
import express, { type Request, type RequestHandler, type Response } from "express";
import { TransportError } from "../answer/error-body";

/** Reads the bytes of a JSON body after decompression; a request without a body has none. */
export type BodyReader = (request: Request, response: Response) => Promise<Buffer>;

/**
 * Makes a reader of bodies. It checks headers and length, and does not parse the JSON.
 *
 * @throws TransportError 400 if the body can't be read; 413 if it has more than `limit` bytes after
 *   decompression; 415 for another media type, charset or content encoding
 */
export function bodyReader(limit: number): BodyReader {
  const raw = express.raw({ limit, type: () => true });
  const readBytes = (request: Request, response: Response): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      raw(request, response, (error?: unknown) => {
        const bytes: unknown = request.body;
        if (error === undefined) resolve(Buffer.isBuffer(bytes) ? bytes : NOTHING);
        else reject(transportError(error));
      });
    });
  return async (request, response) => {
    if (!hasBody(request)) return NOTHING;
    // express.raw would first read the whole body
    if (Number(request.headers["content-length"]) > limit) throw new TransportError(413);
    if (isJson(request)) return readBytes(request, response);
    throw new TransportError(415, "Content-Type must be application/json in UTF-8");
  };
}

const NOTHING = Buffer.alloc(0);

/** The most objects and arrays within each other. JSON.parse takes many times as long for thousands of them. */
const DEEPEST = 200;

/**
 * Reads a JSON object into `request.body`; a request without a body counts as `{}`.
 *
 * @throws TransportError 400 if it is nested deeper than 200 levels; otherwise like {@link bodyReader} and
 *   {@link parseBody}
 */
export function jsonBody(limit: number): RequestHandler {
  const read = bodyReader(limit);
  return async (request, response, next) => {
    const bytes = await read(request, response);
    if (isNestedDeeper(bytes, DEEPEST)) {
      throw new TransportError(400, `Body must not be nested deeper than ${DEEPEST} levels`);
    }
    request.body = parseBody(bytes);
    next();
  };
}

/** Whether JSON in UTF-8 has more than `levels` objects and arrays within each other. It need not be valid. */
function isNestedDeeper(json: Buffer, levels: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isInString = !isInString;
    else if (isInString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const hasBody = ({ headers }: Request): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

function isJson(request: Request): boolean {
  try {
    const { type, parameters } = contentType.parse(request);
    const charset = parameters.charset?.toLowerCase() ?? "utf-8";
    const [kind, subtype = ""] = type.split("/");
    const isJsonType = subtype === "json" || (subtype.endsWith("+json") && subtype !== "+json");
    return kind === "application" && isJsonType && ["utf-8", "utf8"].includes(charset);
  } catch {
    return false;
  }
}

/**
 * The JSON object in these bytes; no bytes are an empty one.
 *
 * @throws TransportError 400 if the bytes are not JSON, not UTF-8 or not an object
 */
export function parseBody(bytes: Buffer): object {
  if (bytes.length === 0) return {};
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TransportError(400, "Body must be a JSON object");
  }
  return value;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new TransportError(400, "Body must be valid JSON in UTF-8");
  }
}

function transportError(error: unknown): TransportError {
  const status = (error as { status?: unknown }).status;
  if (status === 413) return new TransportError(413);
  if (status === 415) return new TransportError(415, "Content-Encoding is not supported");
  return new TransportError(400, "Body can't be read");
}
