import { createParameterDecorator } from "type-graphql";
import type { ListOptions } from "../../../lists/lists";
import type { Context } from "../../context";
import { selects } from "./selects";

/**
 * Injects how a list is read: all its rows are counted only if the client selects the field `total`, and the
 * reading ends when the client is gone.
 */
export const Options = (total: "meta" | "totalCount") =>
  createParameterDecorator<Context>(({ info, context: { signal } }): ListOptions => ({
    counted: selects(info, [total]),
    signal,
  }));
