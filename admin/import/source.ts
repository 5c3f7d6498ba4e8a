import { refusalOf } from "../api/download";
import { Failure, headersFor } from "../api/post";
import { withToken } from "../api/request";

interface Counts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

type Value = string | boolean | null;

/** What an import has done or, as a dry run, would do. */
export interface Outcome {
  /** If there are any, nothing is stored. */
  readonly badLines: {
    readonly total: number;
    readonly first: readonly { readonly line: number; readonly reason: string }[];
  };
  /** The first entries that are created (without fields) or changed. */
  readonly changes: readonly {
    readonly type: "category" | "product";
    readonly slug: string;
    readonly fields: readonly {
      readonly field: string;
      readonly from: Value;
      readonly to: Value;
    }[];
  }[];
  readonly categories: Counts;
  readonly products: Counts;
  readonly catalogueVersion: string;
}

interface Line {
  readonly progress?: Progress;
  readonly outcome?: Outcome;
  readonly error?: { readonly message: string | string[]; readonly statusCode: number };
}

/** How many entries of how many are stored. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

interface Options {
  /** The catalogue that a dry run has seen; without one, this is the dry run. */
  readonly expected?: string;
  readonly progress: (progress: Progress) => void;
  /** Ends an import that is under way: nothing is stored then. */
  readonly signal: AbortSignal;
}

/** Tells what the import of a file would change or, once that is known, imports it. @throws Failure */
export async function importFile(file: File, options: Options): Promise<Outcome> {
  const { expected, progress, signal } = options;
  const query = new URLSearchParams({
    dryRun: String(expected === undefined),
    ...(expected !== undefined && { expectedCatalogue: expected }),
  });
  const type = /\.(jsonl|ndjson)$/i.test(file.name) ? "application/jsonl" : "text/csv";
  const response = await withToken(async (token) => {
    const headers = { ...headersFor(token), "content-type": type };
    const init = { method: "POST", headers, body: file, signal };
    const answer = await fetch(`/admin/import?${query.toString()}`, init).catch(() => {
      throw new Failure("shop.failures.unreachable", "UNREACHABLE", undefined);
    });
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  });
  let rest = "";
  let outcome: Outcome | undefined;
  const read = (line: string): void => {
    const { error, ...told } = JSON.parse(line) as Line;
    if (error) throw new Failure([error.message].flat().join(", "), "REFUSED", error.statusCode);
    if (told.progress) progress(told.progress);
    outcome = told.outcome ?? outcome;
  };
  const texts = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await texts?.read(); part && !part.done; part = await texts?.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(read);
  }
  if (!outcome) throw new Failure("shop.import.broke_off", "BROKEN_OFF", undefined);
  return outcome;
}
