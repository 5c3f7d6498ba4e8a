import type { Request } from "express";
import { invalidInput } from "../vocabulary/errors";
import { invalid } from "../vocabulary/reasons";
import { OrderFilter, OrderTerms, PlaceOrderInput } from "../services/orders/inputs";
import { pageRequest, type PageRequest } from "../lists/pagination";
import { validate } from "../services/input/validate";
import type { InputClass } from "../services/input/rules";

/** The application's query parser; its result is what `request.query` returns. */
export const parseQuery = (text: string | null): URLSearchParams => new URLSearchParams(text ?? "");

/** The value of a query parameter; undefined if it is absent, a list if it is repeated or has brackets. */
function single(request: Request, name: string): string | string[] | undefined {
  const query = request.query as unknown as URLSearchParams;
  const values = query.getAll(name);
  const bracketed = [...query.keys()].some((key) => key.startsWith(`${name}[`));
  return bracketed || values.length > 1 ? values : values[0];
}

const isDigits = (text: string | string[] | undefined): text is string =>
  typeof text === "string" && /^[0-9]+$/.test(text);

/** Base-10 digits as a number; NaN for any other value; undefined if the parameter is absent. */
function integerParameter(request: Request, name: string): number | undefined {
  const text = single(request, name);
  if (text === undefined) return undefined;
  return isDigits(text) ? Number(text) : NaN;
}

/** @throws DomainError INVALID_INPUT with the parameter's message (contract 8.bounds) */
export const pageParameters = (request: Request): PageRequest =>
  pageRequest(integerParameter(request, "page"), integerParameter(request, "pageSize"));

/** @throws DomainError INVALID_INPUT if `status` or `customerEmail` is repeated or not a valid filter */
export const orderFilterParameters = (request: Request): OrderFilter =>
  validate(OrderFilter, {
    status: single(request, "status"),
    customerEmail: single(request, "customerEmail"),
  });

/**
 * A path parameter that is an id. It may exceed the database's integer type; no resource has such an id.
 *
 * @throws DomainError INVALID_INPUT if it is not base-10 digits
 */
export function idParameter(request: Request, name: string): number {
  const text = request.params[name];
  if (!isDigits(text)) {
    throw invalidInput(invalid("Validation failed (numeric string is expected)", name));
  }
  return Number(text);
}

/** @throws DomainError INVALID_INPUT with all messages, if the body is no valid input */
export const inputOf = <T extends object>(Input: InputClass<T>, { body }: Request): T =>
  validate(Input, body as object);

/**
 * An order, and the terms in its headers (contract 4.orders).
 *
 * @throws DomainError INVALID_INPUT with all messages of the body; those of the headers, if the body is valid
 */
export const orderOf = (request: Request): { input: PlaceOrderInput; terms: OrderTerms } => ({
  input: inputOf(PlaceOrderInput, request),
  terms: validate(OrderTerms, {
    idempotencyKey: request.get("Idempotency-Key"),
    expectedTotal: request.get("Expected-Total"),
  }),
});
