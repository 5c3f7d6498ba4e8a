import {
  defaultFieldResolver,
  isObjectType,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from "graphql";
import { buildSchemaSync, type AuthCheckerFn, type ValidatorFn } from "type-graphql";
import { Money } from "../../vocabulary/money";
import type { Services } from "../../services";
import { JsonValue } from "../../services/input/fields";
import { hasRules, validate } from "../../services/input/validate";
import { operations, type Operation } from "../../services/operations";
import type { Context } from "../context";
import { AuthenticationResolver } from "./resolvers/authentication-resolver";
import { CategoryResolver } from "./resolvers/category-resolver";
import { EventResolver } from "./resolvers/event-resolver";
import { InvitationResolver } from "./resolvers/invitation-resolver";
import { NewsletterResolver } from "./resolvers/newsletter-resolver";
import { OrderResolver } from "./resolvers/order-resolver";
import { ProductResolver } from "./resolvers/product-resolver";
import { RecordResolver } from "./resolvers/record-resolver";
import { SalesResolver } from "./resolvers/sales-resolver";
import { SecondFactorResolver } from "./resolvers/second-factor-resolver";
import { SessionResolver } from "./resolvers/session-resolver";
import { DeliveryResolver, WebhookResolver } from "./resolvers/webhook-resolver";
import type { ListedProduct } from "../../services/catalogue/products";
import type { Loaders } from "./loaders";
import type { OrderItemType, OrderType } from "./types/order";
import { PageArguments } from "./types/arguments";
import { DateTime, Decimal, Json } from "./scalars";

/** Builds the schema on these services (contract 10.schema). */
export function createSchema(services: Services): GraphQLSchema {
  const resolvers = [
    new AuthenticationResolver(services.authentication, services.logins),
    new SecondFactorResolver(services.secondFactors, services.logins),
    new InvitationResolver(services.invitations),
    new SessionResolver(services.sessions, services.confirmation, services.programTokens),
    new CategoryResolver(services.categories),
    new ProductResolver(services.products, services.prices),
    new OrderResolver(services.orders),
    new SalesResolver(services.sales, services.customerList),
    new NewsletterResolver(services.subscribers),
    new RecordResolver(services.auditLog, services.customers),
    new EventResolver(services.events),
    new WebhookResolver(services.endpoints, services.deliveries),
    new DeliveryResolver(),
  ];
  const byClass = new Map<unknown, object>(resolvers.map((each) => [each.constructor, each]));
  const classes = resolvers.map((each) => each.constructor);
  const schema = buildSchemaSync({
    resolvers: classes as [(typeof classes)[number]], // the type must say that the list is not empty
    container: { get: (Resolver) => byClass.get(Resolver) },
    scalarsMap: [
      { type: Date, scalar: DateTime },
      { type: Money, scalar: Decimal },
      { type: JsonValue, scalar: Json },
    ],
    authChecker,
    validateFn: validateArgument,
    skipCheck: true,
  });
  resolveRelations(schema);
  countLongTexts(schema);
  return schema;
}

type Resolve = GraphQLFieldResolver<unknown, Context>;

const relation =
  <Row>(find: (row: Row, loaders: Loaders) => unknown): Resolve =>
  (row, _args, { loaders }) =>
    find(row as Row, loaders);

const relations: Readonly<Record<string, Readonly<Record<string, Resolve>>>> = {
  Product: {
    category: relation(
      ({ category, categoryId }: ListedProduct, loaders) =>
        category ?? loaders.category.load(categoryId),
    ),
  },
  Order: {
    items: relation(({ id }: OrderType, loaders) => loaders.itemsOfOrder.load(id)),
  },
  OrderItem: {
    product: relation(({ productId }: OrderItemType, loaders) => loaders.product.load(productId)),
  },
};

/** Sets these resolvers. Those of TypeGraphQL cost more: each makes promises for every row. */
function resolveRelations(schema: GraphQLSchema): void {
  for (const [name, resolvers] of Object.entries(relations)) {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`${name} is no object type`);
    const fields = type.getFields();
    for (const [field, resolve] of Object.entries(resolvers)) {
      Object.assign(fields[field] as object, { resolve });
    }
  }
}

/** Makes the fields that may have long texts count each text as soon as it becomes part of an answer. */
function countLongTexts(schema: GraphQLSchema): void {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  for (const field of types.flatMap((type) => Object.values(type.getFields()))) {
    if (field.extensions.typicalLength === undefined) continue;
    field.resolve = (source, args, context: Context, info) => {
      const text: unknown = defaultFieldResolver(source, args, context, info);
      if (typeof text === "string") context.answer.count(text);
      return text;
    };
  }
}

/** Calls the validator of REST's bodies. Checks the bounds of pages before filters, as REST does. */
const validateArgument: ValidatorFn = (value: unknown, Input) => {
  if (value instanceof PageArguments) value.request();
  else if (typeof value === "object" && value !== null && hasRules(Input)) validate(Input, value);
};

/** The service decides; its error says whether the token or the role is missing. */
const authChecker: AuthCheckerFn<Context> = async ({ context, info }, roles) => {
  await context.authorize(roles, operations[info.fieldName as Operation]);
  return true;
};
