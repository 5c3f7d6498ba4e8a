import { createParameterDecorator } from "type-graphql";
import type { ListReading } from "../../services/lists/lists";
import type { Context } from "../context";
import { selects } from "./selects";

/**
 * Injects how a list is read: all its rows are counted only if the client selects the field `total`, and the
 * reading ends when the client is gone.
 */
export const Reading = (total: "meta" | "totalCount") =>
  createParameterDecorator<Context>(({ info, context: { signal } }): ListReading => ({
    counted: selects(info, [total]),
    signal,
  }));
