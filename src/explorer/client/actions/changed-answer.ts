import { getNamedType, isCompositeType, type GraphQLCompositeType } from "graphql";
import type { GraphQLSchema, SelectionSetNode } from "graphql";
import type { Row } from "../answers/answer-table";
import {
  selectedFields,
  selectionsOf,
  type SelectedField,
  type Sources,
} from "../answers/selected-fields";
import { isObject, valueOf } from "../objects";
import { operationOf } from "../operation-of";
import type { Values } from "../operations/row-operation";
import type { Answer, Request } from "../service";

/** The new values of an object. */
export interface Change {
  readonly typeName: string;
  /** By field, including the id. The value of an object field is again such a record. */
  readonly values: Values;
}

interface Answered {
  readonly request: Request;
  readonly answer: Answer;
}

/** The answer with the new values of an object, wherever the answer shows the object with its id. */
export function changedAnswer(
  schema: GraphQLSchema,
  { request, answer }: Answered,
  change: Change,
): Answer {
  const parsed = operationOf(request);
  const root = parsed && schema.getRootType(parsed.operation.operation);
  if (!root || !answer.data) return answer;
  const changer = new Changer({ schema, fragments: parsed.fragments }, change);
  const data = changer.object(answer.data, { type: root, sets: [parsed.operation.selectionSet] });
  return { ...answer, data };
}

/** The type and the selections of a part of an answer. */
interface Asked {
  readonly type: GraphQLCompositeType;
  readonly sets: readonly SelectionSetNode[];
}

class Changer {
  constructor(
    private readonly sources: Sources,
    private readonly change: Change,
  ) {}

  /** @param known the new values of this object, by field */
  object(old: Row, asked: Asked, known?: Values): Row {
    const fields = selectedFields(this.sources, asked.type, asked.sets);
    const news = known ?? (this.#isChanged(old, asked.type, fields) ? this.change.values : {});
    const newOf = (field: SelectedField) =>
      takesArguments(field) ? undefined : valueOf(news, nameOf(field));
    const entries = fields.map((field) => [
      field.key,
      this.#value(field, valueOf(old, field.key), newOf(field)),
    ]);
    return { ...old, ...(Object.fromEntries(entries) as Row) };
  }

  #isChanged(old: Row, { name }: GraphQLCompositeType, fields: readonly SelectedField[]): boolean {
    const { typeName, values } = this.change;
    const id = fields.find((field) => nameOf(field) === "id");
    return name === typeName && id !== undefined && valueOf(old, id.key) === values["id"];
  }

  #value(field: SelectedField, old: unknown, known: unknown): unknown {
    const type = getNamedType(field.definition.type);
    if (!isCompositeType(type)) return known === undefined ? old : known;
    const asked = { type, sets: selectionsOf(field) };
    if (Array.isArray(old)) {
      return old.map((each: unknown) => (isObject(each) ? this.object(each, asked) : each));
    }
    if (!isObject(old)) return old;
    return this.object(old, asked, isObject(known) ? known : undefined);
  }
}

const nameOf = ({ definition }: SelectedField): string => definition.name;

const takesArguments = ({ nodes }: SelectedField): boolean =>
  nodes.some((node) => (node.arguments ?? []).length > 0);
