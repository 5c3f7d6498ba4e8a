import type { GraphqlRequest } from "../graphql/client";

/** The administrators' operations of the GraphQL door, on things with this id, with input that they would accept. */
export const protectedGraphql = (id: number): Record<string, GraphqlRequest> =>
  Object.fromEntries(
    [
      "query orders { orders { meta { total } data { id customerEmail } } }",
      "query ordersConnection { ordersConnection { totalCount edges { node { customerEmail } } } }",
      `query order { order(id: ${id}) { customerEmail } }`,
      "query newsletterSubscribers { newsletterSubscribers { data { email } } }",
      'mutation createCategory { createCategory(input: { name: "Oolong" }) { id } }',
      `mutation updateCategory { updateCategory(id: ${id}, input: { name: "Oolong" }) { id } }`,
      `mutation deleteCategory { deleteCategory(id: ${id}) { id } }`,
      `mutation createProduct {
        createProduct(input: { name: "Sencha", price: "1.00", categoryId: ${id} }) { id }
      }`,
      `mutation updateProduct { updateProduct(id: ${id}, input: { price: "0.01" }) { id } }`,
      `mutation setProductStatus { setProductStatus(id: ${id}, isActive: false) { id } }`,
      `mutation deleteProduct { deleteProduct(id: ${id}) { id } }`,
      `mutation setOrderStatus { setOrderStatus(id: ${id}, status: CANCELLED) { id } }`,
      `mutation unsubscribeFromNewsletter {
        unsubscribeFromNewsletter(email: "reader@example.com")
      }`,
      "query auditLog { auditLog { edges { node { changes { before after } } } } }",
      "query events { events { edges { node { data } } } }",
      "query webhookEndpoints { webhookEndpoints { url } }",
      `query webhookEndpoint { webhookEndpoint(id: ${id}) { url } }`,
      `mutation createWebhookEndpoint {
        createWebhookEndpoint(input: { url: "https://example.com/" }) { secret }
      }`,
      `mutation updateWebhookEndpoint {
        updateWebhookEndpoint(id: ${id}, input: { url: "https://example.org/" }) { url }
      }`,
      `mutation rotateWebhookSecret { rotateWebhookSecret(id: ${id}) }`,
      `mutation deleteWebhookEndpoint { deleteWebhookEndpoint(id: ${id}) { url } }`,
      `mutation sendTestEvent { sendTestEvent(endpointId: ${id}) { id } }`,
      `mutation resendDelivery { resendDelivery(id: "${id}") { id } }`,
      `mutation resendEvents {
        resendEvents(endpointId: ${id}, from: "2020-01-01T00:00:00Z", before: "9999-01-01T00:00:00Z")
      }`,
      'query customerData { customerData(email: "reader@example.com") { orders } }',
      'mutation eraseCustomer { eraseCustomer(email: "reader@example.com") { orders } }',
      "mutation renewToken { renewToken { accessToken } }",
      // No account has this password: the right one would end the token that the others are sent with.
      `mutation changePassword {
        changePassword(currentPassword: "guess", newPassword: "another horse") { accessToken }
      }`,
    ].map((query) => [/^\w+ (\w+)/.exec(query)![1]!, { query }]),
  );
