import { Alert, Button, LinearProgress, Paper, Typography } from "@mui/material";
import { useEffect, useRef, useState } from "react";
import { useRefresh, useTranslate } from "react-admin";
import { problemOf } from "../api/problem";
import { count } from "../parts/format";
import { PageTitle } from "../parts/page-title";
import { SmallTable } from "../parts/small-table";
import { importFile, type Outcome, type Progress } from "./source";

/** Takes a file of the catalogue, shows what it would change, field by field, and then imports it. */
export default function ImportPage() {
  const translate = useTranslate();
  const { file, outcome, progress, fault, isBusy, isDone, take, store } = useImport();
  useEffect(() => {
    const over = (event: DragEvent): void => event.preventDefault();
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      take(event.dataTransfer?.files[0]);
    };
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("drop", drop);
    };
  }, [take]);
  const written = outcome ? writtenBy(outcome) : 0;
  const canStore = outcome && outcome.badLines.total === 0 && written > 0 && !isDone;
  return (
    <>
      <PageTitle>{translate("shop.page.import")}</PageTitle>
      <Paper variant="outlined" sx={{ p: 3, my: 2, borderStyle: "dashed" }}>
        <label>
          {translate("shop.import.choose")}{" "}
          <input
            type="file"
            accept=".csv,.jsonl,.ndjson"
            disabled={isBusy}
            onChange={({ target }) => take(target.files?.[0])}
          />
        </label>
        <Typography color="text.secondary" variant="body2" sx={{ mt: 1 }}>
          {translate("shop.import.formats")}
        </Typography>
      </Paper>
      <div role="status">
        {isBusy &&
          (progress
            ? translate("shop.import.so_far", {
                done: count(progress.done),
                total: count(progress.total),
              })
            : translate("shop.import.reading", { name: file?.name }))}
        {isDone && <Alert severity="success">{translate("shop.import.done")}</Alert>}
      </div>
      {isBusy && (
        <LinearProgress
          aria-label={translate("shop.page.import")}
          {...(progress && {
            variant: "determinate",
            value: (100 * progress.done) / Math.max(progress.total, 1),
          })}
        />
      )}
      {fault && <Alert severity="error">{fault}</Alert>}
      {outcome && <Report outcome={outcome} />}
      <Button variant="contained" disabled={!canStore || isBusy} onClick={store} sx={{ mt: 2 }}>
        {translate("shop.import.store")}
      </Button>
    </>
  );
}

/** An import from the choice of the file to its end. Leaving the page ends it, and then nothing is stored. */
function useImport() {
  const refresh = useRefresh();
  const [file, setFile] = useState<File>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [progress, setProgress] = useState<Progress>();
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const left = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    left.current = controller;
    return () => controller.abort();
  }, []);
  const run = (of: File, expected?: string): void => {
    const { signal } = left.current;
    setBusy(true);
    setFault("");
    importFile(of, { progress: setProgress, signal, ...(expected !== undefined && { expected }) })
      .then(
        (told) => {
          setOutcome(told);
          setDone(expected !== undefined && told.badLines.total === 0);
          if (expected !== undefined) refresh();
        },
        (problem: unknown) => setFault(problemOf(problem).message),
      )
      .finally(() => {
        setBusy(false);
        setProgress(undefined);
      });
  };
  const take = (taken?: File): void => {
    if (!taken || isBusy) return;
    setFile(taken);
    setOutcome(undefined);
    setDone(false);
    run(taken);
  };
  const store = (): void => {
    if (file && outcome) run(file, outcome.catalogueVersion);
  };
  return { file, outcome, progress, fault, isBusy, isDone, take, store };
}

const writtenBy = ({ categories, products }: Outcome): number =>
  categories.created + categories.changed + products.created + products.changed;

function Report({ outcome }: { readonly outcome: Outcome }) {
  const translate = useTranslate();
  const { badLines, changes, categories, products } = outcome;
  if (badLines.total > 0) {
    return (
      <Alert severity="error">
        {translate("shop.import.bad_lines", {
          smart_count: badLines.total,
          count: count(badLines.total),
        })}
        <ul>
          {badLines.first.map(({ line, reason }) => (
            <li key={line}>{translate("shop.import.bad_line", { line, reason })}</li>
          ))}
        </ul>
      </Alert>
    );
  }
  const numbers = (key: string, { created, changed, unchanged }: Outcome["products"]): string =>
    translate(key, {
      ...{ created: count(created), changed: count(changed), unchanged: count(unchanged) },
    });
  const shown = (value: string | boolean | null): string =>
    typeof value === "boolean" ? translate(`ra.boolean.${value}`) : value || "–";
  const more = writtenBy(outcome) - changes.length;
  return (
    <>
      <Typography sx={{ my: 1 }}>
        {numbers("shop.import.categories", categories)}
        <br />
        {numbers("shop.import.products", products)}
      </Typography>
      <SmallTable
        label={translate("shop.import.changes")}
        headings={["what", "field", "now", "then"].map((key) => translate(`shop.import.${key}`))}
        rows={changes.flatMap(({ type, slug, fields }) => {
          const name = `${translate(`shop.subject.${type.toUpperCase()}`)} ${slug}`;
          if (fields.length === 0)
            return [{ key: name, cells: [name, translate("shop.import.new"), "", ""] }];
          return fields.map(({ field, from, to }) => ({
            key: `${name} ${field}`,
            cells: [name, translate(`shop.field.${field}`, { _: field }), shown(from), shown(to)],
          }));
        })}
      />
      {more > 0 && <p>{translate("shop.import.more", { count: count(more) })}</p>}
    </>
  );
}
