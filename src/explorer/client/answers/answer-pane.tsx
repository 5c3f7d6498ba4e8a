import * as React from "react";
import type { ActionContext } from "../actions/row-actions";
import { Pane } from "../workbench/pane";
import { useView, ViewSwitch } from "../workbench/view-switch";
import { AnswerTables } from "./answer-tables";

interface AnswerPaneProps extends ActionContext {
  readonly preferences: Storage;
}

const VIEWS = ["Table", "JSON"] as const;

/** The answer of the tab: as tables, or as the JSON that GraphiQL shows. */
export function AnswerPane({ preferences, ...context }: AnswerPaneProps): React.ReactNode {
  const [view, setView] = useView(preferences, "answer", VIEWS);
  return (
    <Pane within=".graphiql-response" className="answer-pane">
      <div className="pane-bar">
        <ViewSwitch label="Answer as" views={VIEWS} current={view} onChange={setView} />
        <span className="answer-wait" role="status">
          {view === "Table" && context.tab.isRunning && <span>Loading…</span>}
        </span>
      </div>
      {view === "Table" && (
        <div className="pane-body answers">
          <AnswerTables {...context} onJson={() => setView("JSON")} />
        </div>
      )}
    </Pane>
  );
}
