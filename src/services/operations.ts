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

/** What is settled of an operation. Both doors and metrics take it from here. */
export interface OperationTraits {
  readonly access: Access;
  /** Its answer depends on the catalogue alone, so it may be kept until the catalogue changes. */
  readonly reads?: "catalogue";
  /** What it changes. An operation without this entry changes nothing that the shop sells or stores. */
  readonly changes?:
    | "category"
    | "product"
    | "order"
    | "subscriber"
    | "administrator"
    | "customer"
    | "endpoint"
    | "delivery";
  /** The rate limit that counts every call, valid or not. */
  readonly limit?: "orders" | "newsletter" | "lookups";
  /** The caller must have given a password or second factor within ten minutes. */
  readonly needs?: "freshLook";
  /** It is about the caller's own account: no program's token may call it. */
  readonly isOfAccount?: true;
  /** It is part of setting up a second factor, so it needs none. */
  readonly setsUpFactor?: true;
  /** It takes a password or a second factor, so one GraphQL operation may call one of these once. */
  readonly isAttempt?: true;
  /** It hands out a list as a file, to no program's token. */
  readonly isExport?: true;
  /** Its input is a secret, which must be in no URL. */
  readonly takesSecret?: true;
}

/** What administrators alone may do. Orders, for example, contain customers' e-mail addresses. */
const admins: readonly Role[] = [ADMIN];

const ofAccount = { isOfAccount: true } as const;

/** What administrators may call to set up a second factor even where they must have one. */
const ofFactors = { ...ofAccount, setsUpFactor: true } as const;
const startsFactor = { ...ofFactors, needs: "freshLook" } as const;
const changesFactors = { ...startsFactor, changes: "administrator" } as const;

const table = {
  categories: { access: everyone, reads: "catalogue" },
  category: { access: everyone, reads: "catalogue" },
  createCategory: { access: admins, changes: "category" },
  updateCategory: { access: admins, changes: "category" },
  deleteCategory: { access: admins, changes: "category" },

  products: { access: everyone, reads: "catalogue" },
  productsConnection: { access: everyone, reads: "catalogue" },
  productsOfCategory: { access: everyone, reads: "catalogue" },
  product: { access: everyone, reads: "catalogue" },
  createProduct: { access: admins, changes: "product" },
  updateProduct: { access: admins, changes: "product" },
  setProductStatus: { access: admins, changes: "product" },
  deleteProduct: { access: admins, changes: "product" },
  withdrawPrice: { access: admins, changes: "product" },

  placeOrder: { access: everyone, changes: "order", limit: "orders" },
  orders: { access: admins },
  ordersConnection: { access: admins },
  order: { access: admins },
  orderByLookup: { access: everyone, limit: "lookups", takesSecret: true },
  setOrderStatus: { access: admins, changes: "order" },
  salesByDay: { access: admins },
  orderTotals: { access: admins },
  bestSellers: { access: admins },
  customers: { access: admins },

  subscribeToNewsletter: { access: everyone, changes: "subscriber", limit: "newsletter" },
  confirmSubscription: { access: everyone, changes: "subscriber", limit: "newsletter" },
  unsubscribe: { access: everyone, changes: "subscriber", limit: "newsletter" },
  newsletterSubscribers: { access: admins },
  unsubscribeFromNewsletter: { access: admins, changes: "subscriber" },

  auditLog: { access: admins },
  events: { access: admins },
  webhookEndpoints: { access: admins },
  webhookEndpoint: { access: admins },
  createWebhookEndpoint: { access: admins, changes: "endpoint", needs: "freshLook" },
  updateWebhookEndpoint: { access: admins, changes: "endpoint" },
  deleteWebhookEndpoint: { access: admins, changes: "endpoint" },
  rotateWebhookSecret: { access: admins, changes: "endpoint", needs: "freshLook" },
  sendTestEvent: { access: admins, changes: "delivery" },
  resendDelivery: { access: admins, changes: "delivery" },
  resendEvents: { access: admins, changes: "delivery" },
  customerData: { access: admins, needs: "freshLook" },
  eraseCustomer: { access: admins, changes: "customer", needs: "freshLook" },

  login: { access: everyone, isAttempt: true },
  acceptInvitation: { access: everyone, changes: "administrator", isAttempt: true },
  startPasskeyLogin: { access: everyone },
  loginWithPasskey: { access: everyone, isAttempt: true },
  renewToken: { access: admins, ...ofFactors },
  changePassword: { access: admins, changes: "administrator", ...ofAccount, isAttempt: true },
  secondFactors: { access: admins, ...ofFactors },
  startOneTimeCodes: { access: admins, ...startsFactor },
  confirmOneTimeCodes: { access: admins, ...changesFactors },
  endOneTimeCodes: { access: admins, ...changesFactors },
  startPasskey: { access: admins, ...startsFactor },
  confirmPasskey: { access: admins, ...changesFactors },
  endPasskey: { access: admins, ...changesFactors },
  startPasskeyConfirmation: { access: admins, ...ofFactors },
  confirmIdentity: { access: admins, ...ofFactors, isAttempt: true },

  sessions: { access: admins, ...ofFactors },
  logOut: { access: admins, ...ofFactors },
  endSession: { access: admins, changes: "administrator", ...ofAccount },
  endOtherSessions: { access: admins, changes: "administrator", ...ofAccount },
  programTokens: { access: admins, ...ofAccount },
  createProgramToken: {
    access: admins,
    changes: "administrator",
    ...ofAccount,
    needs: "freshLook",
  },
  endProgramToken: { access: admins, changes: "administrator", ...ofAccount },
} satisfies Record<string, OperationTraits>;

/** Every operation of the shop: the fields of GraphQL's Query and Mutation, and those of REST alone. */
export type Operation = keyof typeof table;

/** Operations that change nothing that the shop sells or stores; a login may renew a hash. */
export type ReadOperation = {
  [Name in Operation]: (typeof table)[Name] extends { readonly changes: string } ? never : Name;
}[Operation];

export const operations: Readonly<Record<Operation, OperationTraits>> = table;

/** The operations that take a password or a second factor. */
export const attempts: ReadonlySet<string> = new Set(
  Object.entries(operations).flatMap(([name, { isAttempt }]) => (isAttempt ? name : [])),
);

/** The files of `/admin`, which belong to neither API. */
export const fileOperations = {
  exportOrders: { access: admins, needs: "freshLook", isExport: true },
  exportProducts: { access: admins, isExport: true },
  exportSubscribers: { access: admins, needs: "freshLook", isExport: true },
  importCatalogue: { access: admins, changes: "product" },
} satisfies Record<string, OperationTraits>;
