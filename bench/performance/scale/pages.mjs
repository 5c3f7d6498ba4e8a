import { randomInt } from "node:crypto";
import { call } from "../../support/http.mjs";

const PAGE_SIZE = 10;
const RANDOM_PAGES = 300;

/** The address that 50,000 orders of the large shop have. */
export const REGULAR = "regular@bench.example";

const rest = (title, query, isForAdmins) => ({
  title,
  isForAdmins,
  request: (page) => ({
    method: "GET",
    path: `${query}${query.includes("?") ? "&" : "?"}page=${page}`,
  }),
  totalOf: ({ meta }) => meta.total,
});

/** A list of GraphQL with conditions; `fields` are those of an entry. */
const filtered = (list, fields, title, filter) => ({
  title: `GraphQL ${list}, ${title}`,
  request: (page) => ({
    method: "POST",
    path: "/graphql",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      query: `{ ${list}(page: ${page}, filter: { ${filter} }) { data { ${fields} } meta { total } } }`,
    }),
  }),
  totalOf: ({ data }) => data[list].meta.total,
});

const products = (title, filter) => filtered("products", "id name price", title, filter);

/** Orders whose address has the part. */
const searched = (title, part) => ({
  ...filtered("orders", "id customerEmail", title, `customerSearch: "${part}"`),
  isForAdmins: true,
  most: 1000,
});

/**
 * Both lists in the default order, unfiltered and with each filter of few values, and orders by a part of their
 * address. `most` is the longest p99, in milliseconds.
 */
export const lists = ({ category }) =>
  [
    rest("GET /products", "/products"),
    products("active ones", "isActive: true"),
    products("inactive ones", "isActive: false"),
    products("of a category", `categoryId: ${category}`),
    products("active ones of a category", `categoryId: ${category}, isActive: true`),
    rest("GET /orders", "/orders", true),
    ...["PENDING", "PAID", "CANCELLED"].map((status) =>
      rest(`GET /orders, ${status}`, `/orders?status=${status}`, true),
    ),
    {
      ...rest("GET /orders, 50,000 of an address", `/orders?customerEmail=${REGULAR}`, true),
      most: 15,
    },
    searched("a part of one address", "ular@bench"),
    searched("a part of many addresses", "fatima"),
  ].map((list) => ({ most: 20, ...list }));

const withToken = (request, { isForAdmins }, token) =>
  isForAdmins
    ? { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
    : request;

/** Requests for the first page, and for any page of the list, the last one among them. */
export async function requestsFor(list, { url, token }) {
  const ask = (page) => withToken(list.request(page), list, token);
  const { body, ...first } = ask(1);
  const { text } = await call(url, { ...first, json: body && JSON.parse(body) });
  const total = list.totalOf(JSON.parse(text));
  const pages = Math.ceil(total / PAGE_SIZE);
  const numbers = Array.from({ length: RANDOM_PAGES }, () => randomInt(1, pages + 1));
  return { total, first: [ask(1)], any: [pages, ...numbers].map(ask) };
}
