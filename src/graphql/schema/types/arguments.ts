import { Arg, ArgsType, createParameterDecorator, Field, Int, type ClassType } from "type-graphql";
import type { ListOptions } from "../../../lists/lists";
import type { Context } from "../../context";
import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionNode } from "graphql";
import { isIncluded } from "../../operation/variables";
import { invalidInput } from "../../../vocabulary/errors";
import { invalid } from "../../../vocabulary/reasons";
import type { Key } from "../../../vocabulary/ids";
import { keysetRequest, type KeysetArguments, type KeysetRequest } from "../../../lists/keyset";
import {
  DEFAULT_PAGE,
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  pageRequest,
  type PageRequest,
} from "../../../lists/pagination";

/** The id of one thing; `noun` names the thing, such as "product". */
export const IdArg = (noun: string) => Arg("id", () => Int, { description: `The ${noun}'s id.` });

/** The version that the caller has seen; null if it does not matter. */
export const ExpectedVersionArg = (noun: string) =>
  Arg("expectedVersion", () => Int, {
    nullable: true,
    description: `The version of the ${noun} that you have seen. If it has another one, nothing is changed: a conflict.`,
  });

export const InputArg = (description: string) => Arg("input", { description });

// TypeScript emits no class for a nullable parameter, so the next two decorators take the class.

/** Conditions on a list of `entries`, such as "products"; null if the client sets none. */
export const FilterArg = (Filter: ClassType, entries: string) =>
  Arg("filter", () => Filter, { nullable: true, description: `Which ${entries}.` });

/** The order of a list; null if the client does not choose one. */
export const SortArg = (Sort: ClassType) =>
  Arg("sort", () => Sort, { nullable: true, description: "In which order." });

/**
 * Injects how a list is read: its rows are counted only if the client selects the field `total`, and the read ends
 * when the client is gone.
 */
export const Options = (total: "meta" | "totalCount") =>
  createParameterDecorator<Context>(({ info, context: { signal } }): ListOptions => ({
    counted: selects(info, [total]),
    signal,
  }));

/** Injects whether the client selects a path of subfields, such as `Selects("data", "category")`. */
export const Selects = (...path: [string, ...string[]]) =>
  createParameterDecorator(({ info }) => selects(info, path));

/** Whether the client selects a subfield of the resolved field, directly or in a fragment. */
function selects(info: GraphQLResolveInfo, path: readonly string[]): boolean {
  const seen = new Set<string>();
  return info.fieldNodes.some((node) => includes(subfieldsOf(node), path, info, seen));
}

const subfieldsOf = ({ selectionSet }: FieldNode): readonly SelectionNode[] =>
  selectionSet?.selections ?? [];

/**
 * Looks into every fragment once, because fragments can spread each other in exponentially many ways. The types of a
 * path differ, so a fragment belongs to one part of it.
 */
function includes(
  selections: readonly SelectionNode[],
  path: readonly string[],
  info: GraphQLResolveInfo,
  seen: Set<string>,
): boolean {
  const [name, ...rest] = path;
  return selections.some((node) => {
    if (!isIncluded(node, info.variableValues)) return false;
    if (node.kind === Kind.FIELD) {
      return (
        node.name.value === name &&
        (rest.length === 0 || includes(subfieldsOf(node), rest, info, seen))
      );
    }
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return includes(node.selectionSet.selections, path, info, seen);
    }
    const fragment = info.fragments[node.name.value];
    if (seen.has(node.name.value)) return false;
    seen.add(node.name.value);
    return includes(fragment?.selectionSet.selections ?? [], path, info, seen);
  });
}

@ArgsType()
export class PageArguments {
  @Field(() => Int, { defaultValue: DEFAULT_PAGE, description: "The page, from 1." })
  page!: number;

  @Field(() => Int, {
    defaultValue: DEFAULT_PAGE_SIZE,
    description: `Entries per page, 1 to ${MAX_PAGE_SIZE}.`,
  })
  pageSize!: number;

  /** @throws DomainError INVALID_INPUT */
  request(): PageRequest {
    return pageRequest(this.page, this.pageSize);
  }
}

/** The arguments of a connection: `first` and `after`, or `last` and `before`. */
@ArgsType()
export class ConnectionArguments implements KeysetArguments {
  @Field(() => Int, {
    nullable: true,
    description: `The first entries, 1 to ${MAX_PAGE_SIZE}; ${DEFAULT_PAGE_SIZE} where no number is given.`,
  })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "The cursor of the last entry before this part.",
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: `The last entries instead, 1 to ${MAX_PAGE_SIZE}; not together with \`first\` or \`after\`.`,
  })
  last?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "The cursor of the first entry behind this part.",
  })
  before?: string | null;

  /** @throws DomainError INVALID_INPUT */
  request(): KeysetRequest {
    return keysetRequest(this);
  }
}

@ArgsType()
export class FirstArguments {
  @Field(() => Int, {
    defaultValue: DEFAULT_PAGE_SIZE,
    description: `The first entries, 1 to ${MAX_PAGE_SIZE}.`,
  })
  first!: number;

  /** @throws DomainError INVALID_INPUT */
  size(): number {
    return pageRequest(1, this.first, "first").pageSize;
  }
}

/** The arguments that name one thing, by its id or its slug. */
@ArgsType()
export class KeyArguments {
  @Field(() => Int, { nullable: true, description: "The id; give either this or the slug." })
  id?: number | null;

  @Field(() => String, { nullable: true, description: "The slug; give either this or the id." })
  slug?: string | null;

  /**
   * The one of the two arguments that is given; `null` counts as not given.
   *
   * @throws DomainError INVALID_INPUT unless exactly one of the two is given
   */
  key(): Key {
    const { id, slug } = this;
    if (typeof id === "number" && typeof slug !== "string") return { id };
    if (typeof slug === "string" && typeof id !== "number") return { slug };
    throw invalidInput([invalid("exactly one of id and slug must be given")]);
  }
}
