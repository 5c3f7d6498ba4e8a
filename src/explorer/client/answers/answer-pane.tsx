import * as React from "react";
import type { ActionContext } from "../actions/row-actions";
import { Pane } from "../workbench/pane";
import { useView, ViewSwitch } from "../workbench/view-switch";

interface AnswerPaneProps extends ActionContext {
  readonly preferences: Storage;
}

const VIEWS = ["Table", "JSON"] as const;

/** The answer of the tab: as tables, or as the JSON that GraphiQL shows. */
export function AnswerPane({ tab, preferences }: AnswerPaneProps): React.ReactNode {
  const [view, setView] = useView(preferences, "answer", VIEWS);
  return (
    <Pane within=".graphiql-response" className="answer-pane">
      <div className="pane-bar">
        <ViewSwitch label="Answer as" views={VIEWS} current={view} onChange={setView} />
      </div>
      {view === "Table" && (
        <div className="pane-body">{JSON.stringify(tab.answered?.answer.data)}</div>
      )}
    </Pane>
  );
}
