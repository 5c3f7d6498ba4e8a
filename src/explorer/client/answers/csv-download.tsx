import type { GraphQLSchema } from "graphql";
import * as React from "react";
import { messageOf } from "../message-of";
import { forVisitors, type Answer, type Request } from "../service";
import { CsvPages, UnreadPage } from "./csv-pages";
import { BYTE_ORDER_MARK, separatorIn } from "./csv-text";
import { isoDate } from "./format";
import { saveFile } from "./save-file";
import type { SourcedTable } from "./sourced-table";
import { counted } from "./words";

interface CsvDownloadProps {
  readonly schema: GraphQLSchema;
  readonly table: SourcedTable;
  readonly request: Request;
  readonly send: (request: Request) => Promise<Answer>;
  readonly isSignedIn: boolean;
}

type State =
  | { readonly kind: "idle"; readonly note: string }
  | { readonly kind: "reading"; readonly pages: CsvPages; readonly progress: string }
  | { readonly kind: "failed"; readonly pages: CsvPages; readonly fault: unknown };

const IDLE: State = { kind: "idle", note: "" };

/** A button that downloads all pages of a table as a file. */
export function CsvDownload(props: CsvDownloadProps): React.ReactNode {
  const { isSignedIn, table } = props;
  const [state, setState] = React.useState<State>(IDLE);
  /** The current download. One that was stopped or replaced is no longer here, and ends. */
  const current = React.useRef<CsvPages>();
  React.useEffect(() => () => (current.current = undefined), []);
  const signedIn = React.useRef(isSignedIn);
  signedIn.current = isSignedIn;
  const send = async (request: Request): Promise<Answer> => {
    const answer = await props.send(request);
    return signedIn.current ? answer : forVisitors(answer);
  };

  const read = async (pages: CsvPages) => {
    current.current = pages;
    const isCurrent = () => current.current === pages;
    try {
      while (isCurrent() && !pages.isDone) {
        setState({ kind: "reading", pages, progress: progressOf(pages) });
        await pages.readPage();
      }
      if (!isCurrent()) return;
      saveFile(`${table.title}-${isoDate(new Date())}.csv`, "text/csv", [
        BYTE_ORDER_MARK,
        ...pages.lines,
      ]);
      setState({ kind: "idle", note: missingFrom(pages) });
    } catch (fault) {
      if (isCurrent()) setState({ kind: "failed", pages, fault });
    }
  };
  const stop = () => {
    current.current = undefined;
    setState(IDLE);
  };
  const start = () => {
    // It was meant to change what the table shows.
    if (document.querySelector(".input-form [aria-invalid=true]")) {
      setState({
        kind: "idle",
        note: "The form has a value that can't be used. Correct it first.",
      });
      return;
    }
    void read(new CsvPages({ ...props, send, separator: separatorIn() }));
  };

  return (
    <div className="csv">
      <span role="status">{noteOf(state)}</span>
      {state.kind === "failed" && (
        <>
          <span role="alert" className="fault">
            {messageOf(state.fault)}
          </span>
          {canHelp(state.fault, isSignedIn) && (
            <button type="button" className="button small" onClick={() => void read(state.pages)}>
              Retry
            </button>
          )}
        </>
      )}
      {/* One button for both, so that it keeps the focus. */}
      <button type="button" className="button small" onClick={state.kind === "idle" ? start : stop}>
        {state.kind === "idle" ? "Download CSV" : "Stop"}
      </button>
    </div>
  );
}

/** Whether it can help to read the page again. */
const canHelp = (fault: unknown, isSignedIn: boolean): boolean =>
  !(fault instanceof UnreadPage) || (!fault.isForGood && (isSignedIn || !fault.needsSignIn));

const noteOf = (state: State): string =>
  state.kind === "idle" ? state.note : state.kind === "reading" ? state.progress : "";

function progressOf({ pagesRead, totalPages }: CsvPages): string {
  return totalPages === undefined
    ? counted(pagesRead, "page")
    : `${pagesRead} of ${counted(totalPages, "page")}`;
}

/** Says which rows a file lacks; empty if it has all. */
function missingFrom({ isFull, rows, total, pagesRead }: CsvPages): string {
  if (!isFull && (total === undefined || rows >= total)) return "";
  const all = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
  return `The file has ${rows.toLocaleString("en")}${all} rows: ${reason()}.`;

  function reason(): string {
    if (isFull) return "it can hold no more";
    if (pagesRead === 0) return "the operation has no variable for its pages";
    return "the list changed while it was read";
  }
}
