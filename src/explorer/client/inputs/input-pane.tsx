import * as React from "react";
import type { Answer, Request } from "../service";
import type { ActiveTab } from "../workbench/active-tab";
import { Pane } from "../workbench/pane";
import { useView, ViewSwitch } from "../workbench/view-switch";
import { OperationForm } from "./operation-form";

interface InputPaneProps {
  readonly tab: ActiveTab;
  readonly send: (request: Request) => Promise<Answer>;
  readonly preferences: Storage;
}

const VIEWS = ["Form", "JSON"] as const;

/** The variables of the tab: as a form, or as the JSON that GraphiQL edits. */
export function InputPane({ tab, send, preferences }: InputPaneProps): React.ReactNode {
  const [view, setView] = useView(preferences, "inputs", VIEWS);
  const { schema, operation, variables, setVariables, answered } = tab;
  return (
    <Pane within=".graphiql-editor-tool" className="input-pane">
      <div className="pane-bar">
        <ViewSwitch label="Variables as" views={VIEWS} current={view} onChange={setView} />
      </div>
      {view === "Form" && (
        <div className="pane-body">
          {schema && operation && variables ? (
            <OperationForm
              {...{ schema, operation, variables, send }}
              onChange={setVariables}
              answer={answered?.answer}
            />
          ) : (
            <p>The form is shown as soon as the query and its variables can be read.</p>
          )}
        </div>
      )}
    </Pane>
  );
}
