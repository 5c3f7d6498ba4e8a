import { hash } from "node:crypto";
import type { Request, Response } from "express";
import type { CatalogueSettings } from "../config/settings";
import { sendInPieces, JSON_TYPE, sendText } from "../http/answer/send";
import { tagOf, type Answer, type CatalogueRead } from "../reads/catalogue-cache";
import type { ListReceiver } from "../reads/json-lists";
import type { Services } from "../services";

/** A read at some version of the catalogue; undefined if answers are not kept. */
type Read = CatalogueRead | undefined;

/**
 * Answers catalogue reads with an `ETag`, or with 304 if the client has the answer already
 * (contract 11.conditional). Takes answers from the cache where it can. The key of a read names everything that its
 * answer depends on, apart from the catalogue.
 */
export class ConditionalResponder {
  private readonly cacheControl: string;

  constructor(
    private readonly services: Pick<Services, "catalogueCache" | "sharedLists">,
    { maxAge }: Pick<CatalogueSettings, "maxAge">,
  ) {
    this.cacheControl =
      maxAge > 0 ? `public, max-age=0, must-revalidate, s-maxage=${maxAge}` : "no-cache";
  }

  /** Answers with the JSON text that `read` returns, and passes on its errors. */
  async answer(response: Response, key: string, read: () => Promise<string>): Promise<void> {
    const kept = await this.services.catalogueCache?.current.begin(key);
    if (!this.sendKnown(response, kept)) await this.finish(response, kept, await read());
  }

  /** Like {@link answer}, but requests for the same list that wait at the same time share one run of `read`. */
  async answerList(response: Response, key: string, read: () => Promise<string>): Promise<void> {
    const kept = await this.services.catalogueCache?.current.begin(key);
    if (this.sendKnown(response, kept)) return;
    const lists = this.services.sharedLists?.current;
    await this.finish(response, kept, await (lists ? lists.run(key, read) : read()));
  }

  /** Answers with the list that `list` passes to its receiver. A list too long to be kept is sent in pieces. */
  async answerWholeList(
    response: Response,
    key: string,
    list: (receive: ListReceiver) => Promise<void>,
  ): Promise<void> {
    const read = await this.services.catalogueCache?.current.begin(key);
    if (this.sendKnown(response, read)) return;
    await list(async (found) => {
      if ("text" in found) return this.finish(response, read, found.text);
      const tag = tagOf(found.version, key);
      if (hasAnswer(response.req, tag)) {
        this.sendNotModified(response, tag);
      } else {
        this.setHeaders(response, tag);
        await sendInPieces(response, { mediaType: JSON_TYPE, ...found });
      }
    });
  }

  /** Answers without reading, if the client or the cache has the answer. Returns whether it did. */
  private sendKnown(response: Response, read: Read): boolean {
    if (!read) return false;
    if (namesTag(response.req, read.tag)) this.sendNotModified(response, read.tag);
    else if (read.kept) this.send(response, read.tag, read.kept);
    else return false;
    return true;
  }

  private async finish(response: Response, read: Read, text: string): Promise<void> {
    const answer = { mediaType: JSON_TYPE, text };
    const tag = (await read?.keep(answer)) ? read?.tag : undefined;
    this.send(response, tag ?? hash("sha256", text, "base64url"), answer);
  }

  private send(response: Response, tag: string, answer: Answer): void {
    if (hasAnswer(response.req, tag)) {
      this.sendNotModified(response, tag);
    } else {
      this.setHeaders(response, tag);
      sendText(response, answer);
    }
  }

  private sendNotModified(response: Response, tag: string): void {
    this.setHeaders(response, tag);
    response.status(304).end();
  }

  private setHeaders(response: Response, tag: string): void {
    response.set({ ETag: `"${tag}"`, "Cache-Control": this.cacheControl });
  }
}

// RFC 9110 section 13.1.2. Tags are compared weakly: proxies that compress an answer make its tag weak.

/** Whether `If-None-Match` names this tag; `*` does not. No tag may be contained in another one. */
const namesTag = ({ headers }: Request, tag: string): boolean =>
  headers["if-none-match"]?.includes(`"${tag}"`) ?? false;

/** Whether the client has the answer with this tag; `*` says that it has any answer. */
const hasAnswer = (request: Request, tag: string): boolean =>
  request.headers["if-none-match"]?.trim() === "*" || namesTag(request, tag);
