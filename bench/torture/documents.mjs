/** Changes of the catalogue at GraphQL, whose answers say no more than that they are made. */
export const RENAME = `mutation ($id: Int!, $name: String!) {
  updateCategory(id: $id, input: { name: $name }) { id }
}`;
export const REPRICE = `mutation ($id: Int!, $price: Decimal!) {
  updateProduct(id: $id, input: { price: $price }) { id }
}`;
