import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RequestHandler, Response } from "express";
import { pageHeaders } from "./page-headers";

/** Answers with a page. Replaces `{nonce}` in it by the nonce of its Content-Security-Policy. */
export function sendPage(response: Response, page: string, hasStyleAttributes = true): void {
  const nonce = randomBytes(16).toString("base64");
  response
    .set(pageHeaders(nonce, hasStyleAttributes))
    .type("html")
    .send(page.replaceAll("{nonce}", nonce));
}

/** Serves a page from a file, which is read once. */
export function pageFrom(file: string, hasStyleAttributes?: boolean): RequestHandler {
  const page = readFileSync(file, "utf8");
  return (_request, response) => sendPage(response, page, hasStyleAttributes);
}
