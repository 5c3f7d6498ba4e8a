import * as React from "react";
import type { ActionContext } from "../actions/row-actions";
import type { Answer } from "../service";
import { AnswerFaults } from "./answer-faults";
import { DataTable } from "./data-table";
import type { SourcedTable } from "./sourced-table";
import { tablesIn } from "./tables-in";
import { useKeptAnswer } from "./use-kept-answer";
import type { VisitedCursors } from "./use-moves";

interface AnswerTablesProps extends ActionContext {
  /** Shows the answer as JSON. */
  readonly onJson: () => void;
}

/** The answer of the tab: its error messages, and below them its tables. */
export function AnswerTables({ onJson, ...context }: AnswerTablesProps): React.ReactNode {
  const { tab } = context;
  const answered = useKeptAnswer(tab);
  const visited = React.useRef<VisitedCursors>(new Map());
  const { schema } = tab;
  const request = answered?.request;
  const answer = answered?.answer;
  const tables = React.useMemo(
    () =>
      schema && request && answer
        ? shownTables(tablesIn(schema, request, answer.data ?? {}), answer)
        : [],
    [schema, request, answer],
  );
  const isBusy = tab.isRunning && tab.answered === undefined;

  if (!tab.answered && !tab.variables) {
    return <p className="answer-note">The variables can’t be read: they are no JSON object.</p>;
  }
  if (!request || !answer) {
    return (
      <p className="answer-note">
        Run the operation, with the button or with Ctrl and Enter, and its answer appears here.
      </p>
    );
  }
  const isUnreadable = tables.length === 0 && !answer.errors?.length;
  return (
    <>
      <AnswerFaults {...{ answer, request, schema }} isSignedIn={context.isSignedIn !== false} />
      {isUnreadable && (
        <p className="answer-note">
          {schema
            ? "This answer can’t be shown as tables."
            : "No answer can be shown as tables before the schema is loaded."}{" "}
          <button type="button" className="link" onClick={onJson}>
            Show JSON
          </button>
        </p>
      )}
      {tables.map((table) => (
        <DataTable
          key={[tab.id, ...table.path].join(" ")}
          {...{ ...context, table, request, isBusy }}
          visited={visited.current}
        />
      ))}
    </>
  );
}

/** The tables, without those that are empty because of an error. */
const shownTables = (
  tables: readonly SourcedTable[],
  { errors = [] }: Answer,
): readonly SourcedTable[] =>
  tables.filter(
    ({ rows, path }) => rows.length > 0 || !errors.some((fault) => fault.path?.[0] === path[0]),
  );
