import type { RequestHandler, Response } from "express";
import { sendParts } from "../http/answer/send";
import { abandonmentOf } from "../http/request/abandonment";
import type { Services } from "../services";
import { withFirst } from "../vocabulary/with-first";
import type { ListExport } from "./exports";
import { exportText } from "./export-text";
import { termsOf, type ExportTerms } from "./export-terms";

const mediaTypes = { csv: "text/csv; charset=utf-8", jsonl: "application/x-ndjson" } as const;

/**
 * Answers with a list as a file. Where that fails half-way, or the client stops reading, the connection is cut, so that
 * no client takes the file for complete.
 */
export const exporting =
  <Filter extends object, Entry extends object>(
    name: string,
    list: ListExport<Filter, Entry>,
    { exports }: Pick<Services, "exports">,
  ): RequestHandler =>
  async (request, response) => {
    const { terms, filter } = termsOf(request, list.Filter);
    const mediaType = describe(response, name, terms);
    if (request.method === "HEAD") {
      response.type(mediaType).end();
      return;
    }
    let [rows, isComplete] = [0, false];
    const onRows = (count: number): void => void (rows += count);
    await exports.run(
      {
        subject: list.subject,
        filters: filtersIn(filter),
        signal: abandonmentOf(request, response),
      },
      (client) =>
        list.read(client, filter, async (batches) => {
          // What fails before the first byte is answered as everywhere.
          const begun = await withFirst(batches);
          await sendParts(response, { mediaType, parts: exportText(list, terms, begun, onRows) });
          isComplete = response.writableEnded;
        }),
      () => ({ rows, isComplete }),
    );
  };

/** Sets the headers of a file, and returns its media type. */
function describe(
  response: Response,
  name: string,
  { format = "csv", timeZone = "UTC" }: ExportTerms,
): string {
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format();
  response.set("Content-Disposition", `attachment; filename="${name}-${day}.${format}"`);
  return mediaTypes[format];
}

/** The conditions of a filter as the audit log shows them. */
const filtersIn = (filter: object) =>
  Object.entries(filter).flatMap(([field, value]: [string, unknown]) =>
    value === undefined ? [] : { field, before: null, after: textOf(value) },
  );

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);
