import { defaultFieldResolver, isObjectType, type GraphQLSchema } from "graphql";
import type { Context } from "../context";

/** Makes the fields that may have long texts count each text as soon as it becomes part of an answer. */
export function countLongTexts(schema: GraphQLSchema): void {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  for (const field of types.flatMap((type) => Object.values(type.getFields()))) {
    if (field.extensions.typicalLength === undefined) continue;
    field.resolve = (source, args, context: Context, info) => {
      const text: unknown = defaultFieldResolver(source, args, context, info);
      if (typeof text === "string") context.answer.count(text);
      return text;
    };
  }
}
