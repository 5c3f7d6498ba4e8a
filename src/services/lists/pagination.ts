import { invalidInput } from "../../errors";

export const DEFAULT_PAGE = 1;
export const DEFAULT_PAGE_SIZE = 10;
export const MAX_PAGE_SIZE = 50;

/** A page that was asked for, within the bounds (contract 8.bounds); pages count from 1. */
export interface PageRequest {
  readonly page: number;
  readonly pageSize: number;
}

/** The pagination meta object (contract 2.meta). */
export interface PageMeta {
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
}

/** One page of a list with its meta, both of one snapshot. */
export interface Page<T> {
  readonly data: T[];
  readonly meta: PageMeta;
}

/**
 * Checks a page request. What is undefined takes its default; what is not an integer within the bounds (NaN
 * stands for something unreadable) is refused, `page` before `pageSize`.
 *
 * @throws DomainError INVALID_INPUT with the parameter's message (contract 8.bounds)
 */
export function pageRequest(
  page: number = DEFAULT_PAGE,
  pageSize: number = DEFAULT_PAGE_SIZE,
): PageRequest {
  if (!Number.isSafeInteger(page) || page < 1) {
    throw invalidInput("Page must be greater than or equal to 1");
  }
  if (!Number.isSafeInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
    throw invalidInput(`Page size must be between 1 and ${MAX_PAGE_SIZE}`);
  }
  return { page, pageSize };
}

/** The part of a list that a page shows. The last pages begin beyond 2^53, hence the bigint. */
export const partOf = ({ page, pageSize }: PageRequest): { limit: number; offset: bigint } => ({
  limit: pageSize,
  offset: BigInt(page - 1) * BigInt(pageSize),
});

/** Page and meta from the rows of a page and the number of all rows. */
export function pageOf<T>(
  { page, pageSize }: PageRequest,
  { rows, total }: { rows: T[]; total: number },
): Page<T> {
  return { data: rows, meta: { total, page, pageSize, totalPages: Math.ceil(total / pageSize) } };
}
