import { Field } from "type-graphql";
import { composeDecorators, Optional, OptionalOrNull } from "./rules";

type TypeOf = Parameters<typeof Field>[0];

const nullable =
  (presence: () => PropertyDecorator) =>
  (description: string, rule: PropertyDecorator, type?: TypeOf): PropertyDecorator => {
    const options = { nullable: true, description };
    const field = type ? Field(type, options) : Field(options);
    return composeDecorators(rule, presence(), field);
  };

/** A field that may be left out, but may not be `null`. Its type is that of the property if not given. */
export const OptionalField = nullable(Optional);

/** A field that may be left out or `null`; both mean the same, such as that a filter has no such condition. */
export const NullableField = nullable(OptionalOrNull);
