/** The only role that is defined (contract 5.7). */
export const ADMIN = "ADMIN";

/** A role that an operation may ask for. */
export type Role = typeof ADMIN;

/** Access without credentials: a token that is sent is not even looked at. */
export const everyone = "everyone";

/**
 * Who may call an operation: everyone, or the callers that have any of the roles. An empty list admits
 * any valid token (contract 5.6).
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
  // Orders hold the addresses of customers.
  orders: [ADMIN],
  ordersConnection: [ADMIN],
  order: [ADMIN],
  setOrderStatus: [ADMIN],

  subscribeToNewsletter: everyone,
  newsletterSubscribers: [ADMIN],
  unsubscribeFromNewsletter: [ADMIN],

  login: everyone,
} satisfies Record<string, Access>;

/** What can be asked of the shop: the fields of GraphQL's Query and Mutation, and what REST alone has. */
export type Operation = keyof typeof table;

/** Who may do what, at both doors. */
export const permissions: Readonly<Record<Operation, Access>> = table;
