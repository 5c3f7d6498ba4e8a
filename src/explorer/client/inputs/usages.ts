import {
  getNamedType,
  isInputObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";

/** A use of a variable in an operation. */
export interface Usage {
  readonly variable: string;
  /** The name of the argument, and the names of the fields in it: `["input", "price"]`. */
  readonly path: readonly string[];
  /** The description of the argument or field in the schema. */
  readonly description: string | undefined;
}

/** The uses of the variables of an operation. */
export function usagesOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): readonly Usage[] {
  const usages: Usage[] = [];
  const within: { name: string; description: string | undefined }[] = [];
  const info = new TypeInfo(schema);
  const leave = () => void within.pop();
  visit(
    operation,
    visitWithTypeInfo(info, {
      Argument: {
        enter: ({ name: { value: name } }) => {
          within.push({ name, description: info.getArgument()?.description ?? undefined });
        },
        leave,
      },
      ObjectField: {
        enter: ({ name: { value: name } }) => {
          const type = getNamedType(info.getParentInputType());
          const field = isInputObjectType(type) ? type.getFields()[name] : undefined;
          within.push({ name, description: field?.description ?? undefined });
        },
        leave,
      },
      Variable: ({ name: { value: variable } }) => {
        const last = within.at(-1);
        if (!last) return; // the definition of the variable
        const path = within.map(({ name }) => name);
        usages.push({ variable, path, description: last.description });
      },
    }),
  );
  return usages;
}
