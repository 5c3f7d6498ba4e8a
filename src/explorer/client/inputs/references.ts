import {
  getNamedType,
  getNullableType,
  GraphQLInt,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from "graphql";
import type { Answer, Request } from "../service";
import { upperFirst, words } from "./names";

/** An object to choose, by its id and name. */
export interface Choice {
  readonly id: number;
  readonly name: string;
}

/** The objects to which a field of ids refers, and how they are found. */
export interface Reference {
  readonly label: string;
  readonly query: string;
  /** Whether the service searches for objects. Otherwise it returns all of them at once. */
  readonly isSearched: boolean;
  /** Whether the service finds objects by their ids. */
  readonly hasIds: boolean;
}

/** The filter of a search. An empty filter finds the first objects of the list. */
export interface ChoiceFilter {
  readonly search?: string;
  readonly ids?: readonly unknown[];
}

/** The most choices of a search. */
const MOST = 10;

/**
 * The objects to which a field refers, by its name: `categoryId` refers to a `Category`. Undefined unless Query has a
 * list of such objects, or a page of them that can be searched.
 */
export function referenceOf(
  schema: GraphQLSchema,
  name: string,
  type: GraphQLInputType,
): Reference | undefined {
  if (!name.endsWith("Id") || name.length === 2) return undefined;
  const noun = name.slice(0, -2);
  const target = schema.getType(upperFirst(noun));
  if (!isNamed(target) || !["Int", "ID"].includes(String(type))) return undefined;
  const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
    (field) => !field.args.some(isRequiredArgument),
  );
  const label = words(noun);
  const whole = lists.find((field) => isPlainListOf(field, target));
  if (whole) {
    const query = `query Choices { choices: ${whole.name} { id name } }`;
    return { label, query, isSearched: false, hasIds: false };
  }
  for (const field of lists) {
    const reference = pageReference(field, target);
    if (reference) return { label, ...reference };
  }
  return undefined;
}

function pageReference(
  field: GraphQLField<unknown, unknown>,
  target: GraphQLObjectType,
): Omit<Reference, "label"> | undefined {
  const page = getNamedType(field.type);
  const filter = field.args.find(({ name }) => name === "filter");
  const filterType = filter && getNamedType(filter.type);
  if (!filter || !isObjectType(page) || !isInputObjectType(filterType)) return undefined;
  const list = Object.values(page.getFields()).find(({ type }) => isListOf(type, target));
  const conditions = filterType.getFields();
  if (!list || !conditions["search"]) return undefined;
  const size = field.args.some(({ name }) => name === "pageSize") ? `, pageSize: ${MOST}` : "";
  const query =
    `query Choices($filter: ${String(filter.type)}) { ` +
    `choices: ${field.name}(filter: $filter${size}) { list: ${list.name} { id name } } }`;
  return { query, isSearched: true, hasIds: conditions["ids"] !== undefined };
}

const isNamed = (type: GraphQLNamedType | undefined): type is GraphQLObjectType =>
  isObjectType(type) &&
  getNamedType(type.getFields()["id"]?.type) === GraphQLInt &&
  type.getFields()["name"] !== undefined;

const isListOf = (type: GraphQLOutputType, target: GraphQLObjectType): boolean =>
  isListType(getNullableType(type)) && getNamedType(type) === target;

const isPlainListOf = (
  { type, args }: GraphQLField<unknown, unknown>,
  target: GraphQLObjectType,
): boolean =>
  isListOf(type, target) && !args.some(({ name }) => /^(page|pageSize|first|limit)$/.test(name));

/**
 * Asks for choices.
 *
 * @throws Error if the service does not answer with them
 */
export async function askForChoices(
  { query, isSearched }: Reference,
  send: (request: Request) => Promise<Answer>,
  filter: ChoiceFilter,
): Promise<readonly Choice[]> {
  const answer = await send({ query, variables: isSearched ? { filter } : {} });
  const choices = answer.data?.["choices"];
  if (answer.errors || !choices) throw new Error("There are no choices");
  return (isSearched ? (choices as { list: Choice[] }).list : choices) as Choice[];
}

/** The choices whose name contains the text, whatever the case and the accents, or whose id is the text. */
export function choicesLike(choices: readonly Choice[], text: string): readonly Choice[] {
  const wanted = folded(text);
  return choices.filter(({ id, name }) => folded(name).includes(wanted) || String(id) === wanted);
}

const folded = (text: string): string =>
  text.trim().normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
