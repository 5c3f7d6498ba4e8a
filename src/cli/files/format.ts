import { Option } from "commander";
import { OperatorError } from "../../vocabulary/errors";

/** CSV (RFC 4180), and JSON lines, which have one object on each line. */
const formats = ["csv", "jsonl"] as const;

export type Format = (typeof formats)[number];

const byExtension: Readonly<Record<string, Format>> = {
  csv: "csv",
  jsonl: "jsonl",
  ndjson: "jsonl",
};

/**
 * The format: the named one, otherwise that of the file's extension, otherwise the one that other options imply.
 *
 * @throws OperatorError if none of these gives a format
 */
export function formatOf(file: string, named: Format | undefined, implied?: Format): Format {
  const [, extension = ""] = /\.([a-z]{1,10})$/i.exec(file) ?? [];
  const format = named ?? byExtension[extension.toLowerCase()] ?? implied;
  if (format) return format;
  const name =
    file === "-" ? "The format has to be named" : `The name ${file} does not tell the format`;
  throw new OperatorError(`${name}: add --format csv or --format jsonl`);
}

/** The option that names the format. */
export const formatOption = (): Option =>
  new Option("--format <format>", "the format; by default that of the file's name").choices(
    formats,
  );
