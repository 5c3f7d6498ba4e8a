import type { GraphQLSchema, OperationDefinitionNode } from "graphql";
import * as React from "react";
import type { Answer, Request, Variables } from "../service";

export interface OperationFormProps {
  readonly schema: GraphQLSchema;
  /** Its variables are what the form asks for. */
  readonly operation: OperationDefinitionNode;
  readonly variables: Variables;
  readonly onChange: (variables: Variables) => void;
  /** The last answer: the messages of a validation stand beside the fields that they name. */
  readonly answer?: Answer | undefined;
  /** Brings what a field can choose from. */
  readonly send: (request: Request) => Promise<Answer>;
  /** Variables that the form does not ask for, as they are known already. */
  readonly hidden?: readonly string[];
}

/** Fields for the variables of an operation, by their types in the schema. */
export function OperationForm({ variables }: OperationFormProps): React.ReactNode {
  return <pre>{JSON.stringify(variables, null, 2)}</pre>;
}
