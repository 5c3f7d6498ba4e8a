import { createMethodMiddlewareDecorator } from "type-graphql";
import type { Context } from "../context";

/** Counts each occurrence of a field, aliases and invalid input included, against a limit of the caller's address. */
export const LimitedBy = (name: keyof Context["limits"]): MethodDecorator =>
  createMethodMiddlewareDecorator<Context>(async ({ context }, next) => {
    await context.limits[name].hit(context.address);
    return next() as unknown;
  });
