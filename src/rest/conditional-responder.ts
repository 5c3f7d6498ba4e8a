import { hash } from "node:crypto";
import type { Request, Response } from "express";
import type { CatalogueSettings } from "../config/settings";
import { JSON_TYPE, sendParts, sendText } from "../http/answer/send";
import { abandonmentOf } from "../http/request/abandonment";
import { tagOf, type Answer } from "../reads/catalogue-cache";
import type { WholeList } from "../reads/whole-lists";
import type { Services } from "../services";
import { withFirst } from "../vocabulary/with-first";

/**
 * Answers catalogue reads with an `ETag`, or with 304 if the client has the answer already
 * (contract 11.conditional). Takes answers from the cache where it can. The key of a read names everything that its
 * answer depends on, apart from the catalogue.
 */
export class ConditionalResponder {
  private readonly cacheControl: string;

  constructor(
    private readonly services: Pick<Services, "catalogueCache" | "flights">,
    { maxAge }: Pick<CatalogueSettings, "maxAge">,
  ) {
    this.cacheControl =
      maxAge > 0 ? `public, max-age=0, must-revalidate, s-maxage=${maxAge}` : "no-cache";
  }

  /** Answers with the JSON text that `read` returns, and passes on its errors. */
  async answer(response: Response, key: string, read: () => Promise<string>): Promise<void> {
    await this.answerText(response, key, read);
  }

  /** Like {@link answer}, but requests for the same list that wait at the same time share one run of `read`. */
  async answerList(response: Response, key: string, read: () => Promise<string>): Promise<void> {
    await this.answerText(response, key, () => this.services.flights.current.run(key, read));
  }

  /** Answers with a list without pages. One that is too long to be cached is sent while it is read. */
  async answerWholeList(
    request: Request,
    response: Response,
    { key, list }: { readonly key: string; readonly list: WholeList },
  ): Promise<void> {
    const text = () => this.services.flights.current.run(key, list.text);
    if (await this.answerText(response, key, text)) return;
    await list.send(
      async (version, parts) => {
        const tag = tagOf(version, key);
        if (hasAnswer(request, tag)) {
          this.sendNotModified(response, tag);
        } else {
          const begun = await withFirst(parts);
          this.setHeaders(response, tag);
          await sendParts(response, { mediaType: JSON_TYPE, parts: begun });
        }
      },
      abandonmentOf(request, response),
    );
  }

  /** Answers with the text that `read` returns. Returns false, and sends nothing, if that is undefined. */
  private async answerText(
    response: Response,
    key: string,
    read: () => Promise<string | undefined>,
  ): Promise<boolean> {
    const found = await this.services.catalogueCache?.current.begin(key);
    if (found && namesTag(response.req, found.tag)) {
      this.sendNotModified(response, found.tag);
      return true;
    }
    if (found?.cached) {
      this.send(response, found.tag, found.cached);
      return true;
    }
    const text = await read();
    if (text === undefined) return false;
    const answer = { mediaType: JSON_TYPE, text };
    const tag = (await found?.store(answer)) ? found?.tag : undefined;
    this.send(response, tag ?? hash("sha256", text, "base64url"), answer);
    return true;
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
