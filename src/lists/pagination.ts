import { invalidInput } from "../vocabulary/errors";
import { outOfRange } from "../vocabulary/reasons";

export const DEFAULT_PAGE = 1;
export const DEFAULT_PAGE_SIZE = 10;
export const MAX_PAGE_SIZE = 50;

/** A valid request for a page (contract 8.bounds); the first page is 1. */
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

/** One page of a list and its meta object, both from the same database snapshot. */
export interface Page<T> {
  readonly data: T[];
  readonly meta: PageMeta;
}

/**
 * Checks the parameters of a page, `page` before `pageSize`. An undefined one takes its default. NaN stands
 * for a value that was not a number, and is refused. `sizeName` is what the client calls the size.
 *
 * @throws DomainError INVALID_INPUT with the parameter's message (contract 8.bounds)
 */
export function pageRequest(
  page: number = DEFAULT_PAGE,
  pageSize: number = DEFAULT_PAGE_SIZE,
  sizeName = "pageSize",
): PageRequest {
  if (!Number.isSafeInteger(page) || page < 1) {
    const bounds = { min: 1, max: Number.MAX_SAFE_INTEGER, path: "page" };
    throw invalidInput(outOfRange("Page must be greater than or equal to 1", bounds));
  }
  if (!Number.isSafeInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
    const bounds = { min: 1, max: MAX_PAGE_SIZE, path: sizeName };
    throw invalidInput(outOfRange(`Page size must be between 1 and ${MAX_PAGE_SIZE}`, bounds));
  }
  return { page, pageSize };
}

/** The part of a list that a page shows. The offset is a bigint because it can exceed 2^53. */
export const partOf = ({ page, pageSize }: PageRequest): { limit: number; offset: bigint } => ({
  limit: pageSize,
  offset: BigInt(page - 1) * BigInt(pageSize),
});

/** Builds a page from its rows and the number of all rows in the list. */
export function pageOf<T>(
  { page, pageSize }: PageRequest,
  { rows, total }: { rows: T[]; total: number },
): Page<T> {
  return { data: rows, meta: { total, page, pageSize, totalPages: Math.ceil(total / pageSize) } };
}
