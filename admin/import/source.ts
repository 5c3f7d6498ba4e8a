import { Failure } from "../api/post";
import { requestFile } from "../api/request";

type Counts = Readonly<Record<"created" | "changed" | "unchanged", number>>;
type Value = string | boolean | null;

/** What an import has done or, as a dry run, would do. */
export interface Outcome {
  /** If there are any, nothing is stored. */
  readonly badLines: { total: number; first: readonly { line: number; reason: string }[] };
  /** The first entries that are created (without fields) or changed. */
  readonly changes: readonly {
    readonly type: "category" | "product";
    readonly slug: string;
    readonly fields: readonly { field: string; from: Value; to: Value }[];
  }[];
  readonly categories: Counts;
  readonly products: Counts;
  readonly catalogueVersion: string;
}

export type Progress = Readonly<Record<"done" | "total", number>>;

interface Line {
  readonly progress?: Progress;
  readonly outcome?: Outcome;
  readonly error?: { readonly message: string | string[]; readonly statusCode: number };
}

/**
 * Imports a file, or, without the catalogue that a dry run has seen, says what that would change. All is rolled back
 * when the signal ends it. @throws Failure
 */
export async function importFile(
  file: File,
  expected: string | undefined,
  progress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const query = expected === undefined ? "true" : `false&expectedCatalogue=${expected}`;
  const type = /\.(jsonl|ndjson)$/i.test(file.name) ? "application/jsonl" : "text/csv";
  const { body } = await requestFile(`/admin/import?dryRun=${query}`, {
    ...{ method: "POST", headers: { "content-type": type }, body: file, signal },
  });
  let rest = "";
  let outcome: Outcome | undefined;
  const read = (line: string): void => {
    const { error, ...found } = JSON.parse(line) as Line;
    if (error) throw new Failure("REFUSED", error.message, error.statusCode);
    if (found.progress) progress(found.progress);
    outcome = found.outcome ?? outcome;
  };
  const texts = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await texts?.read(); part && !part.done; part = await texts?.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(read);
  }
  if (!outcome) throw new Failure("BROKEN_OFF", "import.broke_off");
  return outcome;
}
