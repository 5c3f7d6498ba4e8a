import {
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
} from "@mui/material";
import { useState } from "react";
import {
  useDataProvider,
  useGetOne,
  useNotify,
  useRefresh,
  useResourceContext,
  useTranslate,
  type RaRecord,
} from "react-admin";
import { problemOf } from "../api/problem";
import { changesOf, differ } from "./changes";

interface Props {
  readonly wanted: RaRecord;
  readonly seen: RaRecord;
  readonly fields: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: (thing: RaRecord, seen: RaRecord) => void;
}

/** Shows by field what one saw, what is there now, and what one wants, and lets one decide. */
export function Conflict({ wanted, seen, fields, onClose, onSaved }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const resource = useResourceContext() ?? "";
  const provider = useDataProvider();
  const { data: now } = useGetOne<RaRecord>(resource, { id: seen.id, meta: { asOf: wanted } });
  const mine = Object.keys(changesOf(wanted, seen, fields));
  const [left, setLeft] = useState<readonly string[]>([]);
  if (!now) return null;
  const shown = fields.filter((field) => mine.includes(field) || differ(now[field], seen[field]));
  const kept = mine.filter((field) => !left.includes(field));
  const text = (value: unknown): string =>
    typeof value === "boolean" ? translate(`ra.boolean.${value}`) : `${value as string | number}`;

  const save = async (): Promise<void> => {
    const data = Object.fromEntries(kept.map((field) => [field, wanted[field] as unknown]));
    try {
      const { data: thing } = await provider.update<RaRecord>(resource, {
        ...{ id: seen.id, data, previousData: now },
      });
      onSaved(thing, now);
    } catch (fault) {
      notify(problemOf(fault).message, { type: "error" });
    }
    onClose();
    refresh();
  };
  const discard = (): void => {
    onClose();
    refresh();
  };
  return (
    <Dialog open onClose={onClose} maxWidth="md" aria-labelledby="conflict">
      <DialogTitle id="conflict">{translate("shop.conflict.title")}</DialogTitle>
      <DialogContent>
        <Table size="small">
          <TableHead>
            <TableRow>
              {["field", "seen", "now", "wanted"].map((key) => (
                <TableCell key={key}>{translate(`shop.conflict.${key}`)}</TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {shown.map((field) => {
              const name = translate(`shop.field.${field}`);
              const isMine = mine.includes(field);
              return (
                <TableRow key={field}>
                  <TableCell component="th" scope="row">
                    {name}
                  </TableCell>
                  <TableCell>{text(seen[field])}</TableCell>
                  <TableCell>{text(now[field])}</TableCell>
                  <TableCell>
                    {isMine && (
                      <Checkbox
                        size="small"
                        checked={!left.includes(field)}
                        onChange={({ target }) =>
                          setLeft(
                            target.checked
                              ? left.filter((each) => each !== field)
                              : [...left, field],
                          )
                        }
                        slotProps={{
                          input: { "aria-label": translate("shop.conflict.take", { name }) },
                        }}
                      />
                    )}
                    {isMine ? text(wanted[field]) : "–"}
                  </TableCell>
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {translate("shop.action.go_back")}
        </Button>
        <Button onClick={discard}>{translate("shop.conflict.discard")}</Button>
        <Button variant="contained" disabled={kept.length === 0} onClick={() => void save()}>
          {translate("shop.conflict.save")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
