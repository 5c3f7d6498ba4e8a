import * as React from "react";
import type { ActionContext } from "../actions/row-actions";
import type { ActiveTab } from "../workbench/active-tab";
import { Fenced } from "../workbench/fenced";
import { Pane } from "../workbench/pane";
import { useView, ViewSwitch } from "../workbench/view-switch";
import { AnswerTables } from "./answer-tables";

interface AnswerPaneProps extends ActionContext {
  readonly preferences: Storage;
}

const VIEWS = ["Table", "JSON"] as const;

const WITHIN = ".graphiql-response";

const narrow = matchMedia("(max-width: 760px)");

/** The answer of the tab: as tables, or as the JSON that GraphiQL shows. */
export function AnswerPane({ preferences, ...context }: AnswerPaneProps): React.ReactNode {
  const [view, setView] = useView(preferences, "answer", VIEWS);
  useAnswerInView(context.tab);
  return (
    <Pane within={WITHIN} className="answer-pane">
      <div className="pane-bar">
        <ViewSwitch label="Answer as" views={VIEWS} current={view} onChange={setView} />
        <span className="answer-wait" role="status">
          {view === "Table" && context.tab.isRunning && <span>Loading…</span>}
        </span>
      </div>
      {view === "Table" && (
        <div className="pane-body answers">
          <Fenced
            of={context.tab.answered ?? null}
            instead={<p className="answer-note">This can't be shown as a table. See the JSON.</p>}
          >
            <AnswerTables {...context} onJson={() => setView("JSON")} />
          </Fenced>
        </div>
      )}
    </Pane>
  );
}

/** On a phone, where the answer is below the form, scrolls to the answer as soon as it is there. */
function useAnswerInView({ id, isRunning, answered }: ActiveTab): void {
  const isRun = React.useRef<string>();
  React.useEffect(() => {
    if (isRunning) isRun.current = id;
    if (isRunning || !answered) return;
    const isNew = isRun.current === id;
    isRun.current = undefined;
    // Errors stay out of view here: the form shows them beside its fields.
    if (!isNew || !narrow.matches || answered.answer.errors?.length) return;
    document.querySelector(WITHIN)?.scrollIntoView();
  }, [id, isRunning, answered]);
}
