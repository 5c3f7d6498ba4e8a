import type { GraphQLSchema, OperationDefinitionNode } from "graphql";
import * as React from "react";
import { valueOf } from "../objects";
import { MISSING } from "../plain-words";
import type { Answer, Request, Variables } from "../service";
import { assignFaults } from "./faults";
import { FieldView } from "./field-view";
import { fieldsOfOperation, type Field } from "./fields";
import { FormProvider, type FormContext } from "./form-context";
import { missingIn } from "./missing";
import { withValue, type Path } from "./values";

export interface OperationFormProps {
  readonly schema: GraphQLSchema;
  /** The operation; the form has fields for its variables. */
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables;
  readonly onChange: (variables: Variables) => void;
  /** The last answer. Its messages about fields are shown beside these fields. */
  readonly answer?: Answer | undefined;
  /** Sends the requests for the choices of a field. */
  readonly send: (request: Request) => Promise<Answer>;
  /** Variables that the form does not ask for, because they are known already. */
  readonly hidden?: readonly string[];
}

/**
 * Fields for the variables of an operation, by their types in the schema. The fields and the variables are two views
 * of one value. Typed text that is not a value of its type goes into the variables as text, so that the service
 * refuses it and never runs the operation with another value.
 */
export function OperationForm(props: OperationFormProps): React.ReactNode {
  const { schema, operation, variables, onChange, send, hidden } = props;
  const root = React.useRef<HTMLDivElement>(null);
  const fields = React.useMemo(
    () => fieldsOfOperation(schema, operation, hidden),
    [schema, operation, hidden?.join(" ")],
  );
  const { faultsOf, forget } = useFaults(props, fields, root);
  const form: FormContext = {
    id: React.useId(),
    schema,
    send,
    faultsOf,
    FieldView,
    change: (path, value) => {
      forget(path);
      onChange(withValue(variables, path, value) as Variables);
    },
  };
  return (
    <FormProvider value={form}>
      <div className="operation-form" ref={root} onKeyDown={submitByKeys}>
        {fields.map((field) => (
          <FieldView
            key={field.name}
            field={field}
            path={[field.name]}
            value={valueOf(variables, field.name)}
          />
        ))}
      </div>
    </FormProvider>
  );
}

/** The messages of the last answer, except about fields that have been edited since. */
function useFaults(
  { answer, schema, operation, variables, hidden }: OperationFormProps,
  fields: readonly Field[],
  root: React.RefObject<HTMLElement>,
) {
  const byField = React.useMemo(() => {
    const assigned = assignFaults(answer, schema, operation, hidden).byField;
    const isIncomplete = [...assigned.values()].flat().includes(MISSING);
    if (!isIncomplete) return assigned;
    // The service names only the first missing field; the form marks all of them.
    const missing = missingIn(fields, variables).map(
      (path) => [path.join("."), [MISSING]] as const,
    );
    return new Map([...missing, ...assigned]);
  }, [answer, schema, operation, hidden?.join(" ")]);
  const [edited, setEdited] = React.useState<readonly string[]>([]);
  const [shownAnswer, setShownAnswer] = React.useState(answer);
  if (answer !== shownAnswer) {
    setShownAnswer(answer);
    setEdited([]);
  }
  const isFirst = React.useRef(true);
  React.useEffect(() => {
    if (!isFirst.current) focusFirstFault(root.current);
    isFirst.current = false;
  }, [answer]);
  return {
    faultsOf: (path: Path) => {
      const key = path.join(".");
      const isEdited = edited.some((one) => isWithin(one, key) || isWithin(key, one));
      return (!isEdited && byField.get(key)) || [];
    },
    forget: (path: Path) => {
      const key = path.join(".");
      if (byField.size > 0 && !edited.includes(key)) setEdited([...edited, key]);
    },
  };
}

const isWithin = (path: string, other: string): boolean =>
  path === other || path.startsWith(`${other}.`);

/** Enter alone submits from single-line fields by itself; with Ctrl or ⌘, this makes it submit from every field. */
function submitByKeys(event: React.KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.closest("form")?.requestSubmit();
}

/** Moves the focus to the first field with a message, if the focus is in the form. */
function focusFirstFault(root: HTMLElement | null): void {
  const form = root?.closest("form") ?? root;
  if (!form?.contains(document.activeElement)) return;
  const first = root?.querySelector<HTMLElement>("[aria-invalid=true]");
  const control = first?.matches("[role=radiogroup]") ? first.querySelector("input") : first;
  control?.focus();
}
