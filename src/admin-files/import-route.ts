import contentType from "content-type";
import type { Request, RequestHandler, Response } from "express";
import { catalogueLines, inBatches } from "../files/catalogue-lines";
import type { Format } from "../files/file-text";
import { utf8Text } from "../files/text";
import { errorBodyOf, TransportError } from "../http/answer/error-body";
import type { ErrorReports } from "../http/answer/failure-report";
import { abandonmentOf } from "../http/request/abandonment";
import type { Services } from "../services";
import { refusalOf } from "../services/refusals";
import { invalidInput, OperatorError, unavailable } from "../vocabulary/errors";
import { invalid } from "../vocabulary/reasons";

/** The most bytes of a file. */
const MOST_BYTES = 50 * 1024 * 1024;

/** The most changes that an outcome shows field by field. */
const MOST_CHANGES = 1_000;

const mediaTypes: Readonly<Record<string, Format>> = {
  "text/csv": "csv",
  "application/x-ndjson": "jsonl",
  "application/jsonl": "jsonl",
};

/**
 * Imports a catalogue file, and answers with lines of JSON. The answer begins when something is being stored, or when
 * the outcome is known: what is refused before has its status. What fails after that is the last line, `{"error"}`.
 */
export const importing =
  (
    { imports, afterChange }: Pick<Services, "imports" | "afterChange">,
    { report }: Pick<ErrorReports, "report">,
  ): RequestHandler =>
  async (request, response) => {
    const { dryRun, expectedCatalogue } = parametersOf(request);
    const format = formatOf(request);
    const write = writingTo(response);
    try {
      if (Number(request.headers["content-length"]) > MOST_BYTES) throw new TransportError(413);
      const outcome = await imports.run(
        inBatches(linesOf(request, format)),
        {
          ...{ dryRun, expectedCatalogue, mostChanges: MOST_CHANGES },
          onProgress: (done, total) => write({ progress: { done, total } }),
        },
        abandonmentOf(request, response),
      );
      if (!dryRun) await afterChange();
      write({ outcome });
    } catch (error) {
      // The rest of a file that nobody reads would come without an end.
      if (!request.complete && !response.headersSent) response.set("Connection", "close");
      if (!response.headersSent) throw error;
      const refusal = refusalOf(error);
      if (refusal !== error) report(error, { status: refusal ? 503 : 500 });
      write({ error: errorBodyOf(refusal) });
    }
    response.end();
  };

/** @throws DomainError INVALID_INPUT */
function parametersOf(request: Request) {
  const query = request.query as unknown as URLSearchParams;
  const [dryRun, ...others] = query.getAll("dryRun");
  if (others.length > 0 || (dryRun !== "true" && dryRun !== "false")) {
    throw invalidInput([invalid("dryRun must be true or false", "dryRun")]);
  }
  return {
    dryRun: dryRun === "true",
    expectedCatalogue: query.get("expectedCatalogue") ?? undefined,
  };
}

/** @throws TransportError 415 */
function formatOf(request: Request): Format {
  try {
    const { type, parameters } = contentType.parse(request);
    const format = mediaTypes[type];
    const charset = parameters.charset?.toLowerCase() ?? "utf-8";
    const isPlain = (request.headers["content-encoding"] ?? "identity") === "identity";
    if (format && isPlain && ["utf-8", "utf8"].includes(charset)) return format;
  } catch {
    // A header that can't be read.
  }
  const types = Object.keys(mediaTypes).join(" or ");
  throw new TransportError(415, `Content-Type must be ${types} in UTF-8`);
}

/** The lines of the body. What makes the whole file unreadable is a refusal. */
async function* linesOf(request: Request, format: Format) {
  try {
    yield* catalogueLines(format, utf8Text(bytesOf(request)));
  } catch (error) {
    if (error instanceof OperatorError) throw invalidInput([invalid(error.message)]);
    throw error;
  }
}

async function* bytesOf(request: Request): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    // What is refused before its end is still to be answered on this connection.
    const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new TransportError(413);
      yield chunk;
    }
  } catch (error) {
    throw request.errored === null ? error : unavailable("abandoned");
  }
}

/** Writes lines, and begins the answer with the first one. */
const writingTo = (response: Response) => (line: object) => {
  if (!response.headersSent) response.type("application/x-ndjson");
  response.write(`${JSON.stringify(line)}\n`);
};
