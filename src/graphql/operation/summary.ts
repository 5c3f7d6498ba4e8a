import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { operations } from "../../services/operations";
import { HeaderMap, type GraphQLRequest } from "@apollo/server";
import type { MetricLabels } from "../../http/request/request-context";

/** The operation by which metrics count requests that select several fields. */
const SEVERAL = "several";

/** The most fields in the log's name of an operation to which the client gave no name. */
const MOST_FIELDS = 5;

/** Fields of Query whose answers, with everything below them, depend on the catalogue and on nothing else. */
const catalogueReads: ReadonlySet<string> = new Set([
  "__typename",
  ...Object.entries(operations).flatMap(([name, { reads }]) => (reads === "catalogue" ? name : [])),
]);

const fieldsTakingSecrets: ReadonlySet<string> = new Set(
  Object.entries(operations).flatMap(([name, { takesSecret }]) => (takesSecret ? name : [])),
);

/**
 * What is known of an operation before it has variables. Its cost, its weight and its null arguments depend on
 * variables, so they are found for each request.
 */
export interface OperationSummary {
  /** Its name in the log: the client's name, otherwise its first fields, such as `products,category`. */
  readonly name: string;
  /** Its name in metrics: the one field of Query or Mutation that it selects, or `several`. */
  readonly countedAs: string;
  /** Whether it reads the catalogue and nothing else, so that its answer may be cached. */
  readonly isCatalogueRead: boolean;
  /** A field that it selects whose arguments are secrets. */
  readonly secretField: string | undefined;
  readonly fragments: readonly FragmentDefinitionNode[];
}

/** The summaries of operations whose documents are cached. */
const summaries = new WeakMap<OperationDefinitionNode, OperationSummary>();

/** The summary of an operation in a valid document. It is made once for each parsed document. */
export function summaryOf(
  operation: OperationDefinitionNode,
  document: DocumentNode,
): OperationSummary {
  const known = summaries.get(operation);
  if (known) return known;
  const summary = summarize(operation, document);
  summaries.set(operation, summary);
  return summary;
}

function summarize(
  operation: OperationDefinitionNode,
  { definitions }: DocumentNode,
): OperationSummary {
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const fields = rootFieldsOf(operation, fragments);
  return {
    name: nameOf(operation),
    countedAs: fields.length === 1 ? fields.join() : SEVERAL,
    isCatalogueRead:
      operation.operation === OperationTypeNode.QUERY &&
      fields.every((field) => catalogueReads.has(field)),
    secretField: fields.find((field) => fieldsTakingSecrets.has(field)),
    fragments,
  };
}

function nameOf({ name, selectionSet }: OperationDefinitionNode): string {
  if (name) return name.value;
  const fields = selectionSet.selections.filter((node) => node.kind === Kind.FIELD);
  return fields
    .slice(0, MOST_FIELDS)
    .map((field) => field.name.value)
    .join(",");
}

/**
 * The fields of Query or Mutation that an operation selects, directly or in fragments, each once. Skipped fields
 * count as well.
 */
function rootFieldsOf(
  { selectionSet }: OperationDefinitionNode,
  fragments: readonly FragmentDefinitionNode[],
): readonly string[] {
  const fields = new Set<string>();
  const spread = new Set<string>();
  const gather = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) fields.add(node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) gather(node.selectionSet);
      else spread.add(node.name.value);
    }
  };
  gather(selectionSet);
  // The set grows during this loop, which visits the added names as well.
  for (const name of spread) {
    for (const each of fragments) if (each.name.value === name) gather(each.selectionSet);
  }
  return [...fields];
}

const NONE = "none";

export const metricLabels = (operation = NONE, code = "OK"): MetricLabels => ({
  door: "graphql",
  operation,
  code,
});

/**
 * Refuses a GET of a query that takes a secret, as Apollo refuses a GET of a mutation: browsers, proxies and their
 * logs store URLs.
 */
export function refuseSecretInUrl(
  { secretField }: Pick<OperationSummary, "secretField">,
  { http }: Pick<GraphQLRequest, "http">,
): void {
  if (secretField === undefined || http?.method === "POST") return;
  throw new GraphQLError(
    `${secretField} is answered by POST alone: its input must not be in a URL`,
    {
      extensions: {
        code: "BAD_REQUEST",
        http: { status: 405, headers: new HeaderMap([["allow", "POST"]]) },
      },
    },
  );
}
