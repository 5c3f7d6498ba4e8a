import { changes } from "./changes.mjs";
import { catalogue } from "./catalogue.mjs";
import { graphql } from "./graphql.mjs";
import { orders } from "./orders.mjs";

/**
 * What is measured, in the order of docs/performance.md. Each path has a `name`, a `title`, the `contenders`
 * that it is measured on, and `requests`, a function of the shop's data. Its floor is `floor` unless said
 * otherwise. A target is the least ratio of one contender's rate to another's.
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
