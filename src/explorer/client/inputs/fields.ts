import {
  astFromValue,
  getNullableType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  print,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
  type VariableDefinitionNode,
} from "graphql";
import { singular, words } from "./names";
import { usagesOf } from "./usages";

/** A field of a form: a variable, a field of an input object, or an element of a list. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Never a non-null type. */
  readonly type: GraphQLInputType;
  /** Whether the service refuses requests without it. */
  readonly isRequired: boolean;
  /** Whether it is an element of a list, which can't be absent. */
  readonly isElement?: boolean;
  readonly description?: string | undefined;
  readonly deprecationReason?: string | undefined;
  /** The service's default if the field is absent, as GraphQL text. */
  readonly defaultText?: string | undefined;
}

/** How a field is shown. */
export type FieldKind =
  | "object"
  | "list"
  | "choice"
  | "boolean"
  | "whole"
  | "number"
  | "decimal"
  | "time"
  | "text"
  | "json";

const scalars: Readonly<Record<string, FieldKind>> = {
  Int: "whole",
  Float: "number",
  Decimal: "decimal",
  DateTime: "time",
  Boolean: "boolean",
  String: "text",
  ID: "text",
};

/** The kind of a type. A scalar with an unknown name takes any JSON. */
export function kindOf(type: GraphQLInputType): FieldKind {
  if (isInputObjectType(type)) return "object";
  if (isListType(type)) return "list";
  if (isEnumType(type)) return "choice";
  const name = String(type);
  return (Object.hasOwn(scalars, name) ? scalars[name] : undefined) ?? "json";
}

/**
 * The variables of an operation.
 *
 * @param hidden names of variables that are left out
 */
export function fieldsOfOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  hidden: readonly string[] = [],
): readonly Field[] {
  const usages = usagesOf(schema, operation);
  const definitions = operation.variableDefinitions ?? [];
  return definitions
    .filter(({ variable }) => !hidden.includes(variable.name.value))
    .map((definition) => {
      const name = definition.variable.name.value;
      const described = usages.find((usage) => usage.variable === name && usage.description);
      return { ...fieldOfVariable(schema, definition), description: described?.description };
    });
}

function fieldOfVariable(
  schema: GraphQLSchema,
  { variable, type: node, defaultValue }: VariableDefinitionNode,
): Field {
  const type = inputType(schema, node);
  return {
    name: variable.name.value,
    label: words(variable.name.value),
    type: getNullableType(type),
    isRequired: isNonNullType(type) && !defaultValue,
    defaultText: defaultValue && print(defaultValue),
  };
}

/** The type of a variable. A type that the schema doesn't have counts as a scalar of that name. */
export function inputType(schema: GraphQLSchema, node: TypeNode): GraphQLInputType {
  if (node.kind === Kind.NON_NULL_TYPE) {
    return new GraphQLNonNull(getNullableType(inputType(schema, node.type)));
  }
  if (node.kind === Kind.LIST_TYPE) return new GraphQLList(inputType(schema, node.type));
  const name = node.name.value;
  const type = schema.getType(name);
  return isInputType(type) ? type : new GraphQLScalarType({ name });
}

/** The fields of an input object. */
export const fieldsOfInput = (type: GraphQLInputObjectType): readonly Field[] =>
  Object.values(type.getFields()).map(fieldOfInputField);

function fieldOfInputField(field: GraphQLInputField): Field {
  const { name, type, description, deprecationReason, defaultValue } = field;
  return {
    name,
    label: words(name),
    type: getNullableType(type),
    isRequired: isNonNullType(type) && defaultValue === undefined,
    description: description ?? undefined,
    deprecationReason: deprecationReason ?? undefined,
    defaultText: defaultValue === undefined ? undefined : textOfDefault(defaultValue, type),
  };
}

function textOfDefault(value: unknown, type: GraphQLInputType): string | undefined {
  try {
    const node = astFromValue(value, type);
    return node ? print(node) : undefined;
  } catch {
    return JSON.stringify(value); // an object as the value of a scalar
  }
}

/** The element of a list at an index. */
export function elementOf({ name, type }: Field, index: number): Field {
  const element = isListType(type) ? type.ofType : type;
  const one = singular(name);
  return {
    name: one,
    label: `${words(one)} ${index + 1}`,
    type: getNullableType(element),
    isRequired: isNonNullType(element),
    isElement: true,
  };
}
