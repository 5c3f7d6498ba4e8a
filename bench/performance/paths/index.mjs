import { changes } from "./changes.mjs";
import { catalogue } from "./catalogue.mjs";
import { graphql } from "./graphql.mjs";
import { lists } from "./lists.mjs";
import { orders } from "./orders.mjs";

/**
 * What is measured. Each path has a `name`, a `title`, the `contenders` that it is measured on, and `requests`, a
 * function of the shop's data. A target is the least ratio of one contender's rate to another's.
 *
 * @type {{
 *   name: string,
 *   title: string,
 *   contenders: string[],
 *   requests: (data: any) => any[],
 *   targets: { of: string, to: string, atLeast: number }[],
 *   [more: string]: any,
 * }[]}
 */
export const paths = [...catalogue, ...orders, ...graphql, ...changes];

/** What is measured in a large shop: each list's first page and deep pages, and orders. */
export const largePaths = [...lists, ...orders.filter(({ name }) => name === "keyed-orders")];
