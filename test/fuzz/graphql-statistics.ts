import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isObjectType,
  Kind,
  parse,
  typeFromAST,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLSchema,
} from "graphql";
import type { GeneratedRequest } from "./graphql-documents";

/** Every field, argument, input field and enum value of a schema, introspection's included. */
export function partsOf(schema: GraphQLSchema): Set<string> {
  const parts = new Set(["Query.__schema", "Query.__type", "Query.__type(name:)"]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        parts.add(`${type.name}.${field.name}`);
        for (const { name } of field.args) parts.add(`${type.name}.${field.name}(${name}:)`);
      }
    }
    if (isInputObjectType(type)) {
      for (const name of Object.keys(type.getFields())) parts.add(`${type.name}.${name}`);
    }
    if (isEnumType(type) && isAsked(schema, type)) {
      for (const { name } of type.getValues()) parts.add(`${type.name}.${name}`);
    }
  }
  return parts;
}

/** Whether a client can send values of an enum: others are in answers alone. */
const isAsked = (schema: GraphQLSchema, asked: GraphQLEnumType): boolean =>
  Object.values(schema.getTypeMap()).some((type) => {
    const isOfType = (input: { readonly type: GraphQLInputType }) =>
      getNamedType(input.type) === asked;
    if (isInputObjectType(type)) return Object.values(type.getFields()).some(isOfType);
    return (
      isObjectType(type) && Object.values(type.getFields()).some(({ args }) => args.some(isOfType))
    );
  });

/** What a generator's documents are like. */
export class Statistics {
  documents = 0;
  valid = 0;
  readonly kinds = new Map<string, number>();
  readonly reached = new Set<string>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** Counts a request; a document that is not valid reaches nothing. */
  add({ query, variables }: GeneratedRequest): void {
    this.documents += 1;
    const document = this.validDocument(query);
    if (!document) return;
    this.valid += 1;
    this.countParts(document);
    const values: unknown = JSON.parse(variables);
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const { operation, variableDefinitions = [] } = definition;
      this.kinds.set(operation, (this.kinds.get(operation) ?? 0) + 1);
      for (const { variable, type } of variableDefinitions) {
        const declared = typeFromAST(this.schema, type);
        if (isInputType(declared)) this.countValue(declared, member(values, variable.name.value));
      }
    }
  }

  private validDocument(query: string): DocumentNode | undefined {
    try {
      const document = parse(query);
      return validate(this.schema, document).length === 0 ? document : undefined;
    } catch {
      return undefined;
    }
  }

  private countParts(document: DocumentNode): void {
    const types = new TypeInfo(this.schema);
    const inField = (): string => `${types.getParentType()?.name}.${types.getFieldDef()?.name}`;
    visit(
      document,
      visitWithTypeInfo(types, {
        Field: () => void this.reached.add(inField()),
        Argument: ({ name }) => {
          if (!types.getDirective()) this.reached.add(`${inField()}(${name.value}:)`);
        },
        ObjectField: ({ name }) =>
          void this.reached.add(`${String(types.getParentInputType())}.${name.value}`),
        EnumValue: ({ value }) => {
          const type = types.getInputType();
          if (type) this.reached.add(`${String(getNullableType(type))}.${value}`);
        },
      }),
    );
  }

  private countValue(type: GraphQLInputType, value: unknown): void {
    const nullable = getNullableType(type);
    if (isListType(nullable) && Array.isArray(value)) {
      for (const item of value) this.countValue(nullable.ofType, item);
    } else if (isInputObjectType(nullable)) {
      for (const [name, field] of Object.entries(nullable.getFields())) {
        const given = member(value, name);
        if (given === undefined) continue;
        this.reached.add(`${nullable.name}.${name}`);
        this.countValue(field.type, given);
      }
    } else if (isEnumType(nullable) && typeof value === "string") {
      this.reached.add(`${nullable.name}.${value}`);
    }
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
