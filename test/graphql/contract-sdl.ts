/** The schema that the contract promises, without its descriptions. */
export const contractSdl = `
  scalar DateTime
  scalar Decimal

  type PageMeta { total: Int!, page: Int!, pageSize: Int!, totalPages: Int! }
  type Category {
    id: Int!, name: String!, slug: String!, isActive: Boolean!, createdAt: DateTime!, version: Int!
    products(page: Int! = 1, pageSize: Int! = 10, filter: ProductFilter, sort: ProductSort): ProductPage!
  }
  type Product {
    id: Int!, name: String!, slug: String!, description: String!, price: Decimal!, isActive: Boolean!
    categoryId: Int!, createdAt: DateTime!, updatedAt: DateTime!, version: Int!, category: Category!
    prices(first: Int! = 10): [Price!]!, lowestPriceBefore: Decimal
  }
  type Price { price: Decimal!, from: DateTime!, until: DateTime }
  type OrderItem {
    id: Int!, orderId: Int!, productId: Int!, quantity: Int!, unitPrice: Decimal!, product: Product!
    productName: String!, productSlug: String!
  }
  type Order {
    id: Int!, customerEmail: String!, totalAmount: Decimal!, status: OrderStatus!
    createdAt: DateTime!, items: [OrderItem!]!, lookup: String!, version: Int!
  }
  type NewsletterSubscriber { id: Int!, email: String!, isActive: Boolean!, createdAt: DateTime! }
  type ProductPage { data: [Product!]!, meta: PageMeta! }
  type OrderPage { data: [Order!]!, meta: PageMeta! }
  type NewsletterSubscriberPage { data: [NewsletterSubscriber!]!, meta: PageMeta! }
  type ProductConnection { edges: [ProductEdge!]!, pageInfo: PageInfo!, totalCount: Int! }
  type ProductEdge { cursor: String!, node: Product! }
  type OrderConnection { edges: [OrderEdge!]!, pageInfo: PageInfo!, totalCount: Int! }
  type OrderEdge { cursor: String!, node: Order! }
  type PageInfo {
    hasNextPage: Boolean!, hasPreviousPage: Boolean!, startCursor: String, endCursor: String
  }
  type AuditChange { field: String!, before: String, after: String }
  type AuditEntry {
    id: ID!, at: DateTime!, actor: String, door: AuditDoor!, operation: String!, subject: AuditSubject!, subjectId: Int
    changes: [AuditChange!]!, address: String, requestId: String, source: String
  }
  type CustomerData {
    email: String!, orders: Int!, firstOrderAt: DateTime, lastOrderAt: DateTime, subscription: NewsletterSubscriber
    events: Int!, auditEntries: Int!
  }
  type ErasedCustomer { tombstone: String!, orders: Int!, subscriptions: Int!, events: Int!, auditEntries: Int! }
  scalar JSON
  type Event {
    id: ID!, at: DateTime!, type: String!, subject: AuditSubject, subjectId: Int, version: Int!, data: JSON!
  }
  type EventConnection { edges: [EventEdge!]!, pageInfo: PageInfo!, totalCount: Int! }
  type EventEdge { cursor: String!, node: Event! }
  type AuditConnection { edges: [AuditEdge!]!, pageInfo: PageInfo!, totalCount: Int! }
  type AuditEdge { cursor: String!, node: AuditEntry! }
  enum AuditDoor { REST, GRAPHQL, COMMAND_LINE, DATABASE }
  enum AuditSubject { CATEGORY, PRODUCT, ORDER, NEWSLETTER_SUBSCRIBER, ADMINISTRATOR, WEBHOOK_ENDPOINT, CUSTOMER }
  enum DeliveryState { WAITING, DELIVERED, GIVEN_UP }
  type DeliveryTry { at: DateTime!, status: Int, fault: String, answer: String! }
  type Delivery {
    id: ID!, event: Event!, state: DeliveryState!, attempts: Int!, nextAttemptAt: DateTime, tries: [DeliveryTry!]!
  }
  type DeliveryConnection { edges: [DeliveryEdge!]!, pageInfo: PageInfo!, totalCount: Int! }
  type DeliveryEdge { cursor: String!, node: Delivery! }
  type WebhookEndpoint {
    id: Int!, url: String!, description: String!, types: [String!]!, isActive: Boolean!, disabledBecause: String
    failingSince: DateTime, includeLookup: Boolean!, createdAt: DateTime!, version: Int!
    deliveries(state: DeliveryState, first: Int, after: String, last: Int, before: String): DeliveryConnection!
  }
  type CreatedWebhookEndpoint { endpoint: WebhookEndpoint!, secret: String! }
  type AccessToken { accessToken: String! }
  enum OrderStatus { PENDING, PAID, CANCELLED }
  enum ProductSortField { CREATED_AT, NAME, PRICE, RELEVANCE }
  enum SortDirection { ASC, DESC }

  input LoginInput { email: String!, password: String! }
  input PlaceOrderInput { customerEmail: String!, items: [OrderItemInput!]! }
  input OrderItemInput { productId: Int!, quantity: Int! }
  input CreateCategoryInput { name: String!, slug: String, isActive: Boolean }
  input UpdateCategoryInput { name: String, slug: String, isActive: Boolean }
  input CreateProductInput {
    name: String!, slug: String, description: String, price: Decimal!, categoryId: Int!
    isActive: Boolean
  }
  input UpdateProductInput {
    name: String, slug: String, description: String, price: Decimal, categoryId: Int
    isActive: Boolean
  }
  input ProductFilter {
    ids: [Int!], categoryId: Int, categorySlug: String, isActive: Boolean
    minPrice: Decimal, maxPrice: Decimal, search: String
  }
  input CategoryFilter { isActive: Boolean }
  input OrderFilter {
    status: OrderStatus, customerEmail: String, customerSearch: String, placedFrom: DateTime, placedBefore: DateTime
  }
  input AuditFilter {
    subject: AuditSubject, subjectId: Int, actor: String, operation: String, from: DateTime, before: DateTime
  }
  input EventFilter { types: [String!], subject: AuditSubject, subjectId: Int, from: DateTime, before: DateTime }
  input CreateWebhookEndpointInput { url: String!, description: String, types: [String!], includeLookup: Boolean }
  input UpdateWebhookEndpointInput {
    url: String, description: String, types: [String!], isActive: Boolean, includeLookup: Boolean
  }
  input ProductSort { field: ProductSortField! = CREATED_AT, direction: SortDirection! = DESC }

  type Query {
    categories(filter: CategoryFilter): [Category!]!
    category(id: Int, slug: String): Category
    products(page: Int! = 1, pageSize: Int! = 10, filter: ProductFilter, sort: ProductSort): ProductPage!
    product(id: Int, slug: String): Product
    productsConnection(
      first: Int, after: String, last: Int, before: String, filter: ProductFilter, sort: ProductSort
    ): ProductConnection!
    orders(page: Int! = 1, pageSize: Int! = 10, filter: OrderFilter): OrderPage!
    ordersConnection(
      first: Int, after: String, last: Int, before: String, filter: OrderFilter
    ): OrderConnection!
    order(id: Int!): Order
    orderByLookup(lookup: String!): Order
    auditLog(filter: AuditFilter, first: Int, after: String, last: Int, before: String): AuditConnection!
    customerData(email: String!): CustomerData!
    events(filter: EventFilter, first: Int, after: String, last: Int, before: String): EventConnection!
    webhookEndpoints: [WebhookEndpoint!]!
    webhookEndpoint(id: Int!): WebhookEndpoint
    newsletterSubscribers(page: Int! = 1, pageSize: Int! = 10): NewsletterSubscriberPage!
  }
  type Mutation {
    login(input: LoginInput!): AccessToken!
    placeOrder(input: PlaceOrderInput!, idempotencyKey: String, expectedTotal: Decimal): Order!
    subscribeToNewsletter(email: String!): Boolean!
    createCategory(input: CreateCategoryInput!): Category!
    updateCategory(id: Int!, input: UpdateCategoryInput!, expectedVersion: Int): Category!
    deleteCategory(id: Int!, expectedVersion: Int): Category!
    createProduct(input: CreateProductInput!): Product!
    updateProduct(id: Int!, input: UpdateProductInput!, expectedVersion: Int): Product!
    setProductStatus(id: Int!, isActive: Boolean!, expectedVersion: Int): Product!
    deleteProduct(id: Int!, expectedVersion: Int): Product!
    setOrderStatus(id: Int!, status: OrderStatus!, expectedVersion: Int): Order!
    unsubscribeFromNewsletter(email: String!): Boolean!
    eraseCustomer(email: String!): ErasedCustomer!
    createWebhookEndpoint(input: CreateWebhookEndpointInput!): CreatedWebhookEndpoint!
    updateWebhookEndpoint(id: Int!, input: UpdateWebhookEndpointInput!, expectedVersion: Int): WebhookEndpoint!
    deleteWebhookEndpoint(id: Int!): WebhookEndpoint!
    rotateWebhookSecret(id: Int!): String!
    sendTestEvent(endpointId: Int!): Delivery!
    resendDelivery(id: ID!): Delivery!
    resendEvents(endpointId: Int!, from: DateTime!, before: DateTime!, types: [String!]): Int!
    renewToken: AccessToken!
    changePassword(currentPassword: String!, newPassword: String!): AccessToken!
  }
`;
