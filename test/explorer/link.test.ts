import type { Prepared } from "../../src/explorer/client/operations/prepared";
import { linkedBy, linkTo } from "../../src/explorer/client/workbench/link";

const catalogue: Prepared = {
  label: "Catalogue with categories",
  query: "query Catalogue($page: Int! = 1) { products(page: $page) { meta { total } } }",
  variables: () => ({ page: 1 }),
};
const newCategory: Prepared = {
  label: "New category",
  query:
    "mutation NewCategory($input: CreateCategoryInput!) { createCategory(input: $input) { id } }",
  variables: () => ({ input: { name: "" } }),
};
const operations = [catalogue, newCategory];
const page = "http://shop.example/explorer";

test("a link brings back the operation and its variables", () => {
  for (const operation of operations) {
    const variables = { search: 'tea & "cake" +1 #2', list: [{ a: null }] };
    const { hash } = new URL(linkTo(operation, variables, page));
    expect(linkedBy(hash, operations)).toEqual({ operation, variables });
  }
});

test("an operation can be named by its label, and begins with its own variables", () => {
  const linked = { operation: catalogue, variables: undefined };
  expect(linkedBy("#operation=catalogue%20with%20categories", operations)).toEqual(linked);
  expect(linkedBy("#operation=Catalogue+with+categories", operations)).toEqual(linked);
});

test.each(["", "#", "#query=%7B__typename%7D", "#variables=%7B%7D&operation=Catalogue", "#top"])(
  "%j is no link to an operation",
  (hash) => expect(linkedBy(hash, operations)).toBeUndefined(),
);

test.each([
  ["#operation=", "There is no operation "],
  ["#operation=%3Cimg%20src%3Dx%3E", "There is no operation <img src=x>"],
  [`#operation=${"x".repeat(100)}`, `There is no operation ${"x".repeat(60)}…`],
  [`#operation=Catalogue&variables=${"x".repeat(9000)}`, "The link is too long"],
  ...["", "{", "null", "[]", "7", '"text"'].map((variables) => [
    `#operation=Catalogue&variables=${encodeURIComponent(variables)}`,
    "The variables of the link are not a JSON object",
  ]),
])("%.60s is refused", (hash, message) => {
  expect(() => linkedBy(hash, operations)).toThrow(new Error(message));
});
