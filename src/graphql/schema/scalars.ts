import { GraphQLError, GraphQLScalarType, Kind } from "graphql";
import { GraphQLDateTime, GraphQLJSON, GraphQLLocalDate } from "graphql-scalars";
import { Money } from "../../vocabulary/money";

export const DateTime = new GraphQLScalarType({
  ...GraphQLDateTime.toConfig(),
  name: "DateTime",
  description: "A point in time as ISO 8601 text in UTC, such as `2026-01-31T09:30:00.000Z`.",
  specifiedByURL: undefined,
});

export const Day = new GraphQLScalarType({
  ...GraphQLLocalDate.toConfig(),
  name: "Date",
  description: "A day, such as `2026-01-31`.",
  specifiedByURL: undefined,
});

export const Json = new GraphQLScalarType({
  ...GraphQLJSON.toConfig(),
  name: "JSON",
  description: "Any JSON value.",
  specifiedByURL: undefined,
});

/**
 * An amount of money. Strings and numbers pass unchanged to the validator, so that both APIs refuse prices
 * with the same messages.
 */
export const Decimal = new GraphQLScalarType<unknown, string>({
  name: "Decimal",
  description:
    `An amount as text with 2 decimals, such as \`12.50\`, up to ${Money.MAX}. ` +
    "As input also a number with at most 2 decimals.",
  serialize: String,
  parseValue: (value) => {
    if (typeof value === "string" || typeof value === "number") return value;
    throw new GraphQLError("Decimal must be a string or a number");
  },
  parseLiteral: (node) => {
    if (node.kind === Kind.STRING) return node.value;
    if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return Number(node.value);
    throw new GraphQLError("Decimal must be a string or a number", { nodes: node });
  },
});
