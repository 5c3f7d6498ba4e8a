import type { GraphQLSchema } from "graphql";
import { isInputObjectType } from "graphql";
import {
  elementClassOf,
  formsOf,
  hasField,
  type InputClass,
  type JsonSchema,
} from "../services/input/rules";

/** The description of an input class's field in GraphQL's schema. It stands in the decorators of the class. */
export type DescriptionOf = (Input: InputClass, field: string) => string | undefined;

/** Looks descriptions up in GraphQL's schema. */
export const describedBy =
  (schema: GraphQLSchema): DescriptionOf =>
  ({ name }, field) => {
    const type = schema.getType(name);
    return isInputObjectType(type)
      ? (type.getFields()[field]?.description ?? undefined)
      : undefined;
  };

/** The schema of the bodies that REST takes for an input class: the rules of its fields, and no other property. */
export function inputSchema(Input: InputClass, descriptionOf: DescriptionOf): JsonSchema {
  const fields = formsOf(Input).filter(([field]) => hasField("REST", Input, field));
  const required = fields.filter(([, { isOptional }]) => !isOptional).map(([field]) => field);
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([field]) => [field, fieldSchema(Input, field, descriptionOf)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema of one field of an input class. */
export function fieldSchema(
  Input: InputClass,
  field: string,
  descriptionOf: DescriptionOf,
): JsonSchema {
  const form = new Map(formsOf(Input)).get(field);
  if (!form) throw new Error(`${Input.name} has no field ${field}`);
  const Element = elementClassOf(Input, field);
  const description = descriptionOf(Input, field);
  return {
    ...form.schema,
    ...(description !== undefined && { description }),
    ...(Element && { items: inputSchema(Element, descriptionOf) }),
  };
}
