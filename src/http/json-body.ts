import contentType from "content-type";
import express, { type Request, type RequestHandler, type Response } from "express";
import { parseJson } from "../exact-json";
import { TransportError } from "./error-body";

/**
 * Reads a JSON object into `request.body`; a request without a body counts as `{}`.
 *
 * @throws TransportError 400 if the body is not JSON, not UTF-8 or not an object; 413 if it has more than
 *   `limit` bytes after decompression; 415 for another media type, charset or content encoding
 */
export function jsonBody(limit: number): RequestHandler {
  const raw = express.raw({ limit, type: () => true });
  const readBytes = (request: Request, response: Response): Promise<void> =>
    new Promise((resolve, reject) => {
      raw(request, response, (fault?: unknown) => {
        if (fault === undefined) resolve();
        else reject(transportError(fault));
      });
    });
  return async (request, response, next) => {
    if (!hasBody(request)) {
      request.body = {};
    } else if (Number(request.headers["content-length"]) > limit) {
      throw new TransportError(413); // express.raw would first read all of it
    } else if (isJson(request)) {
      await readBytes(request, response);
      request.body = parseObject(request.body);
    } else {
      throw new TransportError(415, "Content-Type must be application/json in UTF-8");
    }
    next();
  };
}

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

function parseObject(bytes: unknown): object {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
  const value = read(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TransportError(400, "Body must be a JSON object");
  }
  return value;
}

function read(bytes: Buffer): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new TransportError(400, "Body must be valid JSON in UTF-8");
  }
}

function transportError(fault: unknown): TransportError {
  const status = (fault as { status?: unknown }).status;
  if (status === 413) return new TransportError(413);
  if (status === 415) return new TransportError(415, "Content-Encoding is not supported");
  return new TransportError(400, "Body can't be read");
}
