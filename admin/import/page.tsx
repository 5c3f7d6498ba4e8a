import { Alert, Box, Button, LinearProgress, Paper, Typography } from "@mui/material";
import { useState, type DragEvent } from "react";
import { useRefresh } from "react-admin";
import { useLeaving } from "../parts/ask";
import { count, textOf } from "../parts/format";
import { PageHead, SmallTable } from "../parts/page";
import { kindName, t } from "../texts";
import { importFile, type Outcome, type Progress } from "./source";

/** Takes a file of the catalogue, shows what it would change, field by field, and then imports it. */
export function ImportPage() {
  const refresh = useRefresh();
  const leaving = useLeaving();
  const [file, setFile] = useState<File>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [progress, setProgress] = useState<Progress>();
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const run = async (of: File, expected?: string): Promise<void> => {
    setBusy(true);
    setFault("");
    try {
      const found = await importFile(of, expected, setProgress, leaving);
      setOutcome(found);
      setDone(expected !== undefined && found.badLines.total === 0);
      if (expected !== undefined) refresh();
    } catch (problem) {
      setFault((problem as Error).message);
    }
    setBusy(false);
    setProgress(undefined);
  };
  const take = (taken?: File): void => {
    if (!taken || isBusy) return;
    setFile(taken);
    setOutcome(undefined);
    setDone(false);
    void run(taken);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    if (event.type === "drop") take(event.dataTransfer.files[0]);
  };
  const canStore = outcome?.badLines.total === 0 && writtenBy(outcome) > 0 && !isDone && !isBusy;
  const { done = 0, total = 0 } = progress ?? {};
  const status = progress
    ? t("import.so_far", { done: count(done), total: count(total) })
    : t("import.reading", { name: file?.name });
  return (
    <Box onDragOver={drop} onDrop={drop} sx={{ minHeight: "80vh" }}>
      <PageHead title={t("page.import")} />
      <Paper variant="outlined" sx={{ p: 3, my: 2, borderStyle: "dashed" }}>
        <label>
          {t("import.choose")}{" "}
          <input
            {...{ type: "file", accept: ".csv,.jsonl,.ndjson", disabled: isBusy }}
            onChange={({ target }) => take(target.files?.[0])}
          />
        </label>
        <Typography color="text.secondary">{t("import.formats")}</Typography>
      </Paper>
      <div role="status">
        {isBusy && status}
        {isDone && <Alert severity="success">{t("import.done")}</Alert>}
      </div>
      {isBusy && (
        <LinearProgress
          aria-label={t("page.import")}
          {...(progress && { variant: "determinate", value: (100 * done) / Math.max(total, 1) })}
        />
      )}
      {fault && <Alert severity="error">{fault}</Alert>}
      {outcome && <Report outcome={outcome} />}
      <Button
        {...{ variant: "contained", disabled: !canStore, sx: { mt: 2 } }}
        onClick={() => file && void run(file, outcome?.catalogueVersion)}
      >
        {t("import.store")}
      </Button>
    </Box>
  );
}

const writtenBy = ({ categories, products }: Outcome): number =>
  categories.created + categories.changed + products.created + products.changed;

function Report({ outcome }: { readonly outcome: Outcome }) {
  const { badLines, changes } = outcome;
  if (badLines.total > 0) {
    return (
      <Alert severity="error">
        {t("import.bad_lines", { smart_count: badLines.total })}
        <ul>
          {badLines.first.map(({ line, reason }) => (
            <li key={line}>{t("import.bad_line", { line, reason })}</li>
          ))}
        </ul>
      </Alert>
    );
  }
  const rows = changes.flatMap(({ type, slug, fields }) => {
    const name = `${kindName(type === "product" ? "products" : "categories", 1)} ${slug}`;
    if (fields.length === 0) return [[name, t("import.new"), "", ""]];
    return fields.map(({ field, from, to }) => [
      ...[name, t(`field.${field}`, { _: field }), textOf(from), textOf(to)],
    ]);
  });
  const more = writtenBy(outcome) - changes.length;
  return (
    <>
      {(["categories", "products"] as const).map((kind) => {
        const counts = Object.entries(outcome[kind]).map(([key, number]) => [key, count(number)]);
        const values = { ...Object.fromEntries(counts), name: kindName(kind) };
        return <Typography key={kind}>{t("import.counts", values)}</Typography>;
      })}
      <SmallTable
        label={t("import.changes")}
        headings={["import.what", "conflict.field", "conflict.now", "import.then"]}
        rows={rows}
      />
      {more > 0 && <p>{t("import.more", { count: count(more) })}</p>}
    </>
  );
}
