import { WHOLE } from "./on-products";
import type { TypeName } from "./row-operation";
import { ENDPOINT } from "./webhooks";

/** By type, the query that reads all fields of an object that a row can show. It takes the `id`. */
export const reads: Readonly<Partial<Record<TypeName, string>>> = {
  Order: `query OrderAgain($id: Int!) {
  order(id: $id) { id customerEmail totalAmount status createdAt version }
}`,
  Product: `query ProductAgain($id: Int!) {
  product(id: $id) ${WHOLE}
}`,
  Category: `query CategoryAgain($id: Int!) {
  category(id: $id) { id name slug isActive createdAt version }
}`,
  WebhookEndpoint: `query EndpointAgain($id: Int!) {
  webhookEndpoint(id: $id) ${ENDPOINT}
}`,
};
