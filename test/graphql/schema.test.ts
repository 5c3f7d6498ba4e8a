import { readFileSync } from "node:fs";
import path from "node:path";
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  type IntrospectionQuery,
} from "graphql";
import { startApp, useApp } from "../support/app";
import { graphqlClause } from "../support/clause";
import { publicOperations } from "../security/served-operations";
import { execute } from "./client";

const committed = readFileSync(path.join(__dirname, "../../schema.graphql"), "utf8");

let introspection: IntrospectionQuery;
const app = useApp();
beforeAll(async () => {
  const { body } = await execute(app, { query: getIntrospectionQuery() });
  introspection = body.data as IntrospectionQuery;
});

graphqlClause("10.schema", "the schema is that of schema.graphql", () => {
  const textOf = (schema: GraphQLSchema) => printSchema(lexicographicSortSchema(schema));
  expect(textOf(buildClientSchema(introspection))).toBe(textOf(buildSchema(committed)));
});

test("everything documents itself: types, fields, arguments and enum values", () => {
  const undocumented: string[] = [];
  const judge = (
    path: string,
    { description }: { description?: string | null | undefined },
  ): void => {
    if (!description?.trim()) undocumented.push(path);
  };
  for (const type of introspection.__schema.types) {
    if (type.name.startsWith("__")) continue;
    if (!["Query", "Mutation"].includes(type.name)) judge(type.name, type);
    if (type.kind === "OBJECT") {
      for (const field of type.fields) {
        judge(`${type.name}.${field.name}`, field);
        for (const each of field.args) judge(`${type.name}.${field.name}(${each.name})`, each);
      }
    }
    if (type.kind === "INPUT_OBJECT") {
      for (const field of type.inputFields) judge(`${type.name}.${field.name}`, field);
    }
    if (type.kind === "ENUM") {
      for (const value of type.enumValues) judge(`${type.name}.${value.name}`, value);
    }
  }
  expect(undocumented).toEqual([]);
});

graphqlClause("10.access", "what is for administrators says so", () => {
  const { Query, Mutation } = buildClientSchema(introspection).getTypeMap();
  const fields = [Query, Mutation].flatMap((type) =>
    type && "getFields" in type
      ? Object.values(type.getFields()).map((field) => ({
          ...field,
          path: `${type.name}.${field.name}`,
        }))
      : [],
  );
  const said = fields.filter(({ description }) => description?.includes("For administrators."));
  const closed = fields.filter((field) => !publicOperations.includes(field.path));
  expect(said.map((field) => field.path)).toEqual(closed.map((field) => field.path));
});

graphqlClause("2.admin", "no type and no field shows administrators, passwords or hashes", () => {
  const names = introspection.__schema.types.flatMap((type) => [
    type.name,
    ...(type.kind === "OBJECT" ? type.fields.map(({ name }) => `${type.name}.${name}`) : []),
  ]);
  const suspect = names.filter((name) => /admin|password|hash|role/i.test(name));
  // It takes passwords, and answers with a token as login does.
  expect(suspect).toEqual(["Mutation.changePassword"]);
  const { Mutation } = buildClientSchema(introspection).getTypeMap();
  const { changePassword } = (Mutation as GraphQLObjectType).getFields();
  expect(String(changePassword?.type)).toBe("AccessToken!");
});

graphqlClause("10.introspection", "introspection can be switched off", async () => {
  const closed = await startApp({ graphql: { introspection: false } });
  try {
    for (const query of ["{ __schema { types { name } } }", '{ __type(name: "Order") { name } }']) {
      const { body } = await execute(closed, { query });
      expect(body.data).toBeUndefined();
      expect(body.errors?.[0]?.extensions.code).toBe("GRAPHQL_VALIDATION_FAILED");
    }
    const { body } = await execute(closed, { query: "{ categories { __typename } }" });
    expect(body).toEqual({ data: { categories: [] } });
  } finally {
    await closed.close();
  }
});
