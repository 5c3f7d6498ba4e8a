import type { ApolloServerPlugin } from "@apollo/server";
import {
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionNode,
} from "graphql";
import type { Operation } from "../services/permissions";
import { refusalOf } from "../services/refusals";
import type { Context } from "./context";
import { refused } from "./refused";

/** Fields of Query whose answers, with everything below them, depend on the catalogue and on nothing else. */
const catalogueReads: ReadonlySet<string> = new Set<Operation | "__typename">([
  "__typename",
  "categories",
  "category",
  "products",
  "product",
  "productsConnection",
]);

/**
 * Notices catalogue reads, whose answers may be kept. Must come after the plugins that refuse operations or
 * change answers, because what is kept is sent without them.
 */
export const keepingPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: () => {
    let kept: Context["kept"];
    return Promise.resolve({
      didResolveOperation: async ({ document, operation, request, contextValue }) => {
        if (request.extensions || !operation || !isCatalogueRead(operation, document)) return;
        kept = contextValue.kept;
        await kept?.begin().catch(refuse);
      },
      willSendResponse: ({ response: { body } }) => {
        if (body.kind === "single" && !body.singleResult.errors) kept?.succeed();
        return Promise.resolve();
      },
    });
  },
};

/** The version can't be read, so the catalogue can't be either. */
function refuse(error: unknown): never {
  const refusal = refusalOf(error);
  throw refusal ? refused(refusal, {}, 503) : error;
}

/** Whether a valid operation selects only such fields. Fields that it skips count as well. */
function isCatalogueRead(operation: OperationDefinitionNode, document: DocumentNode): boolean {
  const seen = new Set<string>();
  const isRead = (node: SelectionNode): boolean => {
    if (node.kind === Kind.FIELD) return catalogueReads.has(node.name.value);
    if (node.kind === Kind.INLINE_FRAGMENT) return node.selectionSet.selections.every(isRead);
    const name = node.name.value;
    if (seen.has(name)) return true;
    seen.add(name);
    const fragment = document.definitions.find(
      (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name,
    );
    return (
      fragment?.kind === Kind.FRAGMENT_DEFINITION && fragment.selectionSet.selections.every(isRead)
    );
  };
  return (
    operation.operation === OperationTypeNode.QUERY &&
    operation.selectionSet.selections.every(isRead)
  );
}
