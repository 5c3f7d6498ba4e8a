/* eslint-disable */
import * as types from './graphql';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  mutation SignIn($input: LoginInput!) {\n    login(input: $input) {\n      accessToken\n    }\n  }\n": typeof types.SignInDocument,
    "\n  query OrdersIn($status: OrderStatus!) {\n    orders(pageSize: 20, filter: { status: $status }) {\n      data {\n        id\n        customerEmail\n        totalAmount\n        createdAt\n        items {\n          quantity\n          productName\n        }\n      }\n    }\n  }\n": typeof types.OrdersInDocument,
    "\n  query ScrollProducts($first: Int!, $after: String, $filter: ProductFilter, $sort: ProductSort) {\n    productsConnection(first: $first, after: $after, filter: $filter, sort: $sort) {\n      edges {\n        node {\n          id\n          name\n          price\n          category {\n            name\n          }\n        }\n      }\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n    }\n  }\n": typeof types.ScrollProductsDocument,
    "\n  query SearchProducts($words: String!, $page: Int!) {\n    products(\n      page: $page\n      pageSize: 24\n      filter: { search: $words, isActive: true }\n      sort: { field: RELEVANCE }\n    ) {\n      data {\n        id\n        name\n        price\n      }\n      meta {\n        total\n        totalPages\n      }\n    }\n  }\n": typeof types.SearchProductsDocument,
    "\n  mutation PlaceOrder($input: PlaceOrderInput!, $key: String!, $expectedTotal: Decimal!) {\n    placeOrder(input: $input, idempotencyKey: $key, expectedTotal: $expectedTotal) {\n      id\n      lookup\n      status\n      totalAmount\n      createdAt\n      items {\n        productId\n        quantity\n        unitPrice\n      }\n    }\n  }\n": typeof types.PlaceOrderDocument,
    "\n  query ShowOrder($lookup: String!) {\n    orderByLookup(lookup: $lookup) {\n      id\n      status\n      totalAmount\n      createdAt\n      items {\n        quantity\n        unitPrice\n        productName\n      }\n    }\n  }\n": typeof types.ShowOrderDocument,
};
const documents: Documents = {
    "\n  mutation SignIn($input: LoginInput!) {\n    login(input: $input) {\n      accessToken\n    }\n  }\n": types.SignInDocument,
    "\n  query OrdersIn($status: OrderStatus!) {\n    orders(pageSize: 20, filter: { status: $status }) {\n      data {\n        id\n        customerEmail\n        totalAmount\n        createdAt\n        items {\n          quantity\n          productName\n        }\n      }\n    }\n  }\n": types.OrdersInDocument,
    "\n  query ScrollProducts($first: Int!, $after: String, $filter: ProductFilter, $sort: ProductSort) {\n    productsConnection(first: $first, after: $after, filter: $filter, sort: $sort) {\n      edges {\n        node {\n          id\n          name\n          price\n          category {\n            name\n          }\n        }\n      }\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n    }\n  }\n": types.ScrollProductsDocument,
    "\n  query SearchProducts($words: String!, $page: Int!) {\n    products(\n      page: $page\n      pageSize: 24\n      filter: { search: $words, isActive: true }\n      sort: { field: RELEVANCE }\n    ) {\n      data {\n        id\n        name\n        price\n      }\n      meta {\n        total\n        totalPages\n      }\n    }\n  }\n": types.SearchProductsDocument,
    "\n  mutation PlaceOrder($input: PlaceOrderInput!, $key: String!, $expectedTotal: Decimal!) {\n    placeOrder(input: $input, idempotencyKey: $key, expectedTotal: $expectedTotal) {\n      id\n      lookup\n      status\n      totalAmount\n      createdAt\n      items {\n        productId\n        quantity\n        unitPrice\n      }\n    }\n  }\n": types.PlaceOrderDocument,
    "\n  query ShowOrder($lookup: String!) {\n    orderByLookup(lookup: $lookup) {\n      id\n      status\n      totalAmount\n      createdAt\n      items {\n        quantity\n        unitPrice\n        productName\n      }\n    }\n  }\n": types.ShowOrderDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignIn($input: LoginInput!) {\n    login(input: $input) {\n      accessToken\n    }\n  }\n"): (typeof documents)["\n  mutation SignIn($input: LoginInput!) {\n    login(input: $input) {\n      accessToken\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OrdersIn($status: OrderStatus!) {\n    orders(pageSize: 20, filter: { status: $status }) {\n      data {\n        id\n        customerEmail\n        totalAmount\n        createdAt\n        items {\n          quantity\n          productName\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query OrdersIn($status: OrderStatus!) {\n    orders(pageSize: 20, filter: { status: $status }) {\n      data {\n        id\n        customerEmail\n        totalAmount\n        createdAt\n        items {\n          quantity\n          productName\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ScrollProducts($first: Int!, $after: String, $filter: ProductFilter, $sort: ProductSort) {\n    productsConnection(first: $first, after: $after, filter: $filter, sort: $sort) {\n      edges {\n        node {\n          id\n          name\n          price\n          category {\n            name\n          }\n        }\n      }\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n    }\n  }\n"): (typeof documents)["\n  query ScrollProducts($first: Int!, $after: String, $filter: ProductFilter, $sort: ProductSort) {\n    productsConnection(first: $first, after: $after, filter: $filter, sort: $sort) {\n      edges {\n        node {\n          id\n          name\n          price\n          category {\n            name\n          }\n        }\n      }\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SearchProducts($words: String!, $page: Int!) {\n    products(\n      page: $page\n      pageSize: 24\n      filter: { search: $words, isActive: true }\n      sort: { field: RELEVANCE }\n    ) {\n      data {\n        id\n        name\n        price\n      }\n      meta {\n        total\n        totalPages\n      }\n    }\n  }\n"): (typeof documents)["\n  query SearchProducts($words: String!, $page: Int!) {\n    products(\n      page: $page\n      pageSize: 24\n      filter: { search: $words, isActive: true }\n      sort: { field: RELEVANCE }\n    ) {\n      data {\n        id\n        name\n        price\n      }\n      meta {\n        total\n        totalPages\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PlaceOrder($input: PlaceOrderInput!, $key: String!, $expectedTotal: Decimal!) {\n    placeOrder(input: $input, idempotencyKey: $key, expectedTotal: $expectedTotal) {\n      id\n      lookup\n      status\n      totalAmount\n      createdAt\n      items {\n        productId\n        quantity\n        unitPrice\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation PlaceOrder($input: PlaceOrderInput!, $key: String!, $expectedTotal: Decimal!) {\n    placeOrder(input: $input, idempotencyKey: $key, expectedTotal: $expectedTotal) {\n      id\n      lookup\n      status\n      totalAmount\n      createdAt\n      items {\n        productId\n        quantity\n        unitPrice\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ShowOrder($lookup: String!) {\n    orderByLookup(lookup: $lookup) {\n      id\n      status\n      totalAmount\n      createdAt\n      items {\n        quantity\n        unitPrice\n        productName\n      }\n    }\n  }\n"): (typeof documents)["\n  query ShowOrder($lookup: String!) {\n    orderByLookup(lookup: $lookup) {\n      id\n      status\n      totalAmount\n      createdAt\n      items {\n        quantity\n        unitPrice\n        productName\n      }\n    }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;