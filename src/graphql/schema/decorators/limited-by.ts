import { createMethodMiddlewareDecorator } from "type-graphql";
import type { Context } from "../../context";

/**
 * Counts each occurrence of a field against a rate limit of the client's address, including aliases and
 * occurrences with invalid input.
 */
export const LimitedBy = (name: keyof Context["limits"]): MethodDecorator =>
  createMethodMiddlewareDecorator<Context>(async ({ context }, next) => {
    await context.limits[name].hit(context.address);
    return next() as unknown;
  });
