import { ArgsType, Field, Int } from "type-graphql";
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
