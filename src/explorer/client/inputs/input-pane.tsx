import { Kind, OperationTypeNode, type OperationDefinitionNode } from "graphql";
import * as React from "react";
import { menuEntryOf } from "../operations";
import type { Answer, Request, Variables } from "../service";
import type { ActiveTab } from "../workbench/active-tab";
import { Fenced } from "../workbench/fenced";
import { Pane } from "../workbench/pane";
import { useView, ViewSwitch } from "../workbench/view-switch";
import { words } from "./names";
import { OperationForm } from "./operation-form";
import { useCreated } from "./use-created";
import { focusFirstField, useFocusOnOpening } from "./use-focus-on-opening";

interface InputPaneProps {
  readonly tab: ActiveTab;
  readonly send: (request: Request) => Promise<Answer>;
  readonly preferences: Storage;
}

const VIEWS = ["Form", "JSON"] as const;

/** The variables of the tab: as a form, or as the JSON that GraphiQL edits. */
export function InputPane({ tab, send, preferences }: InputPaneProps): React.ReactNode {
  const [view, setView] = useView(preferences, "inputs", VIEWS);
  const created = useCreated(tab);
  return (
    <Pane within=".graphiql-editor-tool" className="input-pane">
      <div className="pane-bar">
        <ViewSwitch label="Variables as" views={VIEWS} current={view} onChange={setView} />
      </div>
      {view === "Form" && (
        <div className="pane-body">
          <Fenced
            of={tab.query}
            instead={<p className="input-empty">This can't be shown as a form. See the JSON.</p>}
          >
            <TabForm {...{ tab, send, created }} />
          </Fenced>
        </div>
      )}
    </Pane>
  );
}

interface TabFormProps extends Pick<InputPaneProps, "tab" | "send"> {
  /** A message about an object that has just been created. */
  readonly created: string | undefined;
}

/** The form of the tab, and the button that runs its operation. */
function TabForm({ tab, send, created }: TabFormProps): React.ReactNode {
  const { schema, operation, variables, isRunning } = tab;
  const form = React.useRef<HTMLFormElement>(null);
  useFocusOnOpening(tab.id, form);
  React.useEffect(() => {
    const isWithin = form.current?.contains(document.activeElement);
    if (created !== undefined && isWithin) focusFirstField(form.current);
  }, [created]);
  const reason = reasonForNone(tab);
  const run = () => {
    if (!isRunning) tab.run();
  };
  const change = (changed: Variables) => {
    const followed = menuEntryOf(tab.query)?.follows?.(changed, variables ?? {});
    tab.setVariables(followed ?? changed);
  };
  return (
    <form
      className="input-form"
      ref={form}
      noValidate
      aria-label="Variables"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <p className="input-created" role="status">
        {created}
      </p>
      {reason !== undefined && <p className="input-empty">{reason}</p>}
      {schema && operation && variables && (
        <OperationForm
          key={`${tab.id} ${operation.name?.value ?? ""}`}
          {...{ schema, operation, variables, send }}
          onChange={change}
          answer={tab.answered?.answer}
        />
      )}
      {operation && variables && (
        <div className="input-run">
          {/* Not disabled while the operation runs, because it would lose the focus. */}
          <button className="button primary" aria-disabled={isRunning}>
            {verbOf(operation)}
          </button>
        </div>
      )}
    </form>
  );
}

/** The label of the button. That of a mutation says what it does, such as "Create product". */
function verbOf({ operation, selectionSet: { selections } }: OperationDefinitionNode): string {
  if (operation !== OperationTypeNode.MUTATION) return "Run";
  const [field] = selections;
  const isOne = selections.length === 1 && field?.kind === Kind.FIELD;
  return isOne ? words(field.name.value) : "Save changes";
}

/** The reason why there are no fields; undefined if there are some. */
function reasonForNone({ schema, document, operation, variables }: ActiveTab): string | undefined {
  if (!schema) return "The form is shown as soon as the schema has been loaded.";
  if (!document) return "The query can't be read: the form is shown as soon as it is complete.";
  if (!operation) return "The query has several operations, or none: the form is that of one.";
  if (!variables) return "The variables are not a JSON object: the JSON shows where it breaks.";
  if (!operation.variableDefinitions?.length) return "This operation takes no variables.";
  return undefined;
}
