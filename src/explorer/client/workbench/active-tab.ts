import { useEditorContext, useExecutionContext, useSchemaStore } from "@graphiql/react";
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { useCallback, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { isObject } from "../objects";
import { documentOf, operationIn } from "../operation-of";
import type { Answer, Request, Variables } from "../service";

/** The tab in front: the parsed texts of its editors, its answer, and its actions. */
export interface ActiveTab {
  readonly id: string;
  readonly query: string;
  /** Undefined until the schema is loaded. */
  readonly schema: GraphQLSchema | undefined;
  /** The parsed query; undefined while it can't be parsed. */
  readonly document: DocumentNode | undefined;
  /** The operation of the document that would run. */
  readonly operation: OperationDefinitionNode | undefined;
  /** Undefined while the text is not a JSON object. */
  readonly variables: Variables | undefined;
  readonly setVariables: (variables: Variables) => void;
  readonly isRunning: boolean;
  /** Runs the operation with the variables that were set last. */
  readonly run: () => void;
  /** The answer that is shown, and its request. */
  readonly answered: Answered | undefined;
  /** Shows a changed answer, for example after a row was changed. Does nothing once another tab is in front. */
  readonly setAnswer: (answer: Answer) => void;
}

export interface Answered {
  readonly request: Request;
  readonly answer: Answer;
}

/** The active tab. Renders the component again at every change of its texts. */
export function useActiveTab(requests: ReadonlyMap<string, Request>): ActiveTab {
  const editors = useEditorContext({ nonNull: true });
  const execution = useExecutionContext({ nonNull: true });
  const schema = useSchemaStore((store) => store.schema) ?? undefined;
  const query = useText(editors.queryEditor);
  const variables = useText(editors.variableEditor);
  const response = useText(editors.responseEditor);
  const tab = editors.tabs[editors.activeTabIndex];
  const id = tab?.id ?? "";

  const document = useMemo(() => documentOf(query), [query]);
  const answer = useMemo(() => objectOf(response) as Answer | undefined, [response]);
  const request = requests.get(id);
  const inFront = useRef(id);
  inFront.current = id;
  const setAnswer = (changed: Answer) => {
    if (inFront.current !== id) return;
    const text = JSON.stringify(changed, null, 2);
    editors.responseEditor?.setValue(text);
    editors.updateActiveTabValues({ response: text });
  };
  return {
    id,
    query,
    schema,
    document,
    operation: document && operationIn(document, tab?.operationName ?? undefined),
    variables: useMemo(() => (variables.trim() === "" ? {} : objectOf(variables)), [variables]),
    setVariables: (changed) => editors.variableEditor?.setValue(JSON.stringify(changed, null, 2)),
    isRunning: execution.isFetching,
    run: useLatest(execution.run),
    answered: useMemo(() => request && answer && { request, answer }, [request, answer]),
    setAnswer,
  };
}

/** Returns a function that stays the same, and calls the function of the last rendering. */
function useLatest(call: () => void): () => void {
  const latest = useRef(call);
  useLayoutEffect(() => {
    latest.current = call;
  });
  return useCallback(() => latest.current(), []);
}

interface Editor {
  getValue(): string;
  on(event: "change", listener: () => void): void;
  off(event: "change", listener: () => void): void;
}

function useText(editor: Editor | null): string {
  const subscribe = useMemo(
    () => (listener: () => void) => {
      editor?.on("change", listener);
      return () => editor?.off("change", listener);
    },
    [editor],
  );
  return useSyncExternalStore(subscribe, () => editor?.getValue() ?? "");
}

/** The JSON object in a text; undefined for all other texts. */
export function objectOf(text: string): Variables | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
