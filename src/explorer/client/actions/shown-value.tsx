import { getNamedType, isEnumType, isInputType, isObjectType, type GraphQLSchema } from "graphql";
import * as React from "react";
import { textOf } from "../answers/answer-table";
import { enumText } from "../answers/format";
import { headingOf } from "../answers/words";
import { referenceOf, type Reference } from "../inputs/references";
import { useChoices } from "../inputs/use-choices";
import type { TypeName } from "../operations/row-operation";
import type { Answer, Request } from "../service";

/** What is needed to show the values of an object. */
export interface ValueSource {
  readonly type: TypeName;
  readonly schema: GraphQLSchema;
  readonly send: (request: Request) => Promise<Answer>;
}

interface ShownValueProps extends ValueSource {
  readonly field: string;
  readonly value: unknown;
}

/** A value of an object's field, in words. The id of another object is shown as its name. */
export function ShownValue(props: ShownValueProps): React.ReactNode {
  const { value, send } = props;
  const reference = referenceIn(props);
  if (reference && typeof value === "number") return <ObjectName {...{ reference, send, value }} />;
  return <bdi>{inWords(props)}</bdi>;
}

/** The name of a field: "Category" for `categoryId`. */
export const fieldName = (source: Omit<ShownValueProps, "value">): string =>
  referenceIn(source)?.label ?? headingOf(source.field);

interface ObjectNameProps extends Pick<ValueSource, "send"> {
  readonly reference: Reference;
  readonly value: number;
}

function ObjectName({ reference, send, value }: ObjectNameProps) {
  const name = useChoices(reference, send, value).nameOf(value);
  return <bdi>{name === undefined ? value : `${name} (${value})`}</bdi>;
}

function inWords({ schema, type, field, value }: ShownValueProps): string {
  if (value === null) return "none";
  if (value === "") return "empty";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const named = typeOf({ schema, type, field });
  return isEnumType(named) ? enumText(textOf(value)) : textOf(value);
}

function referenceIn({ schema, type, field }: Omit<ShownValueProps, "value" | "send">) {
  const named = typeOf({ schema, type, field });
  return isInputType(named) ? referenceOf(schema, field, named) : undefined;
}

function typeOf({ schema, type, field }: Omit<ShownValueProps, "value" | "send">) {
  const object = schema.getType(type);
  return isObjectType(object) ? getNamedType(object.getFields()[field]?.type) : undefined;
}
