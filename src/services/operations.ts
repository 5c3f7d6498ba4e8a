/** The only role in use (contract 5.7). */
export const ADMIN = "ADMIN";

export type Role = typeof ADMIN;

/** Access without credentials; a token in the request is ignored. */
export const everyone = "everyone";

/**
 * Who may call an operation: everyone, or callers with at least one of the listed roles. An empty list
 * admits every valid token (contract 5.6).
 */
export type Access = typeof everyone | readonly Role[];

const table = {
  categories: everyone,
  category: everyone,
  createCategory: [ADMIN],
  updateCategory: [ADMIN],
  deleteCategory: [ADMIN],

  products: everyone,
  productsConnection: everyone,
  productsOfCategory: everyone,
  product: everyone,
  createProduct: [ADMIN],
  updateProduct: [ADMIN],
  setProductStatus: [ADMIN],
  deleteProduct: [ADMIN],

  placeOrder: everyone,
  // Orders contain customers' e-mail addresses.
  orders: [ADMIN],
  ordersConnection: [ADMIN],
  order: [ADMIN],
  setOrderStatus: [ADMIN],

  subscribeToNewsletter: everyone,
  newsletterSubscribers: [ADMIN],
  unsubscribeFromNewsletter: [ADMIN],

  login: everyone,
  renewToken: [ADMIN],
  changePassword: [ADMIN],
} satisfies Record<string, Access>;

/** Every operation of the shop: the fields of GraphQL's Query and Mutation, and those of REST alone. */
export type Operation = keyof typeof table;

export const permissions: Readonly<Record<Operation, Access>> = table;
