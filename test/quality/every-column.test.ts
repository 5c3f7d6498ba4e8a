import { getMetadataStorage } from "class-validator";
import { buildSchema, type GraphQLInputObjectType, type GraphQLObjectType } from "graphql";
import { readFileSync } from "node:fs";
import path from "node:path";
import { connect } from "../../src/database/connection/pool";
import { models } from "../../src/models";
import {
  CreateCategoryInput,
  UpdateCategoryInput,
} from "../../src/services/catalogue/inputs/category-inputs";
import {
  CreateProductInput,
  UpdateProductInput,
} from "../../src/services/catalogue/inputs/product-inputs";
import { SubscribeInput } from "../../src/services/newsletter/subscribers";
import { OrderItemInput, PlaceOrderInput } from "../../src/services/orders/inputs";
import { dataOf } from "../graphql/client";
import { startApp, type TestApp } from "../support/app";
import { at } from "../support/openapi";

jest.setTimeout(60_000);

/** A model that clients see: all its attributes, and where their values come from. */
interface Resource {
  /** Attributes that no input sets, and where their values come from. */
  readonly made: Readonly<Record<string, string>>;
  /** Input classes, each of which sets all other attributes. */
  readonly inputs: readonly (new () => object)[];
  /** Sets every attribute that is not in `made` to another value than its default. */
  readonly sample: object;
  /** Attributes that no client sees. */
  readonly unseen?: readonly string[];
}

const byDatabase = "the database";
const byTrigger = "a trigger that counts changes";

const resources: Readonly<Record<string, Resource>> = {
  Category: {
    made: { id: byDatabase, createdAt: byDatabase, version: byTrigger },
    inputs: [CreateCategoryInput, UpdateCategoryInput],
    sample: { name: "Oolong", slug: "half-fermented", isActive: false },
  },
  Product: {
    made: { id: byDatabase, createdAt: byDatabase, updatedAt: "the service", version: byTrigger },
    inputs: [CreateProductInput, UpdateProductInput],
    sample: {
      name: "Sencha",
      slug: "first-sencha",
      description: "First flush.",
      price: "12.50",
      isActive: true,
      categoryId: 1,
    },
  },
  Order: {
    made: {
      id: byDatabase,
      createdAt: byDatabase,
      totalAmount: "the sum of the items",
      status: "PENDING, then setStatus",
      version: byTrigger,
    },
    inputs: [PlaceOrderInput],
    sample: { customerEmail: "ada@example.com" },
  },
  OrderItem: {
    made: {
      id: byDatabase,
      orderId: "its order",
      unitPrice: "its product",
      productName: "its product",
      productSlug: "its product",
    },
    inputs: [OrderItemInput],
    sample: { productId: 1, quantity: 3 },
  },
  NewsletterSubscriber: {
    made: {
      id: byDatabase,
      createdAt: byDatabase,
      isActive: "subscribing and unsubscribing",
      ...{ consentedAt: "confirming", consentAddress: "confirming" },
      ...{ requestedAt: "subscribing", requestedVersion: "subscribing" },
      version: byTrigger,
    },
    inputs: [SubscribeInput],
    sample: { email: "ada@example.com" },
    unseen: ["requestedAt", "requestedVersion"],
  },
};

/** Models that no client sees, or, as of accounts, prices and webhooks, only a part of them. */
const unseen = [
  ...["Admin", "OneTimeCodes", "Passkey", "RecoveryCode", "Session"],
  ...["IdempotencyKey", "ProductPrice", "WebhookDelivery", "WebhookEndpoint"],
];

/** Models of what the database writes by itself. */
const written = ["AuditEntry", "Event"];

const schema = buildSchema(readFileSync(path.join(__dirname, "../../schema.graphql"), "utf8"));

const attributes: Readonly<Record<string, readonly string[]>> = (() => {
  const { models } = connect({ url: "postgres://nobody@127.0.0.1:1/none", poolSize: 1 });
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => [name, Object.keys(model.getAttributes())]),
  );
})();

const names = Object.keys(resources);

/** The attributes of a model that GraphQL's type has. */
const shown = (name: string): string[] =>
  attributes[name]!.filter((each) => !resources[name]?.unseen?.includes(each));

/** A GraphQL selection of all attributes of a model. */
const fields = (name: string): string => shown(name).join(" ");

const rulesOf = (Input: new () => object): string[] => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Input, "", false, false)
      .map(({ propertyName }) => propertyName),
  ),
];

test("every model that clients see is looked at here", () => {
  expect([...names, ...unseen, ...written].sort()).toEqual(models.map(({ name }) => name).sort());
});

test.each(names)("every attribute of %s is set by an input, or made", (name) => {
  const { made, sample, inputs } = resources[name]!;
  const set = Object.keys(sample);
  expect([...set, ...Object.keys(made)].sort()).toEqual([...attributes[name]!].sort());
  for (const Input of inputs) {
    expect(rulesOf(Input)).toEqual(expect.arrayContaining(set));
    const ofGraphql = schema.getType(Input.name) as GraphQLInputObjectType | undefined;
    // Without a type of its own in GraphQL, an input's fields are arguments, which the operation at REST has as well.
    if (ofGraphql) expect(Object.keys(ofGraphql.getFields())).toEqual(rulesOf(Input));
  }
});

test.each(names)("every attribute of %s is a field in GraphQL", (name) => {
  const type = schema.getType(name) as GraphQLObjectType;
  expect(Object.keys(type.getFields())).toEqual(expect.arrayContaining(shown(name)));
});

describe("what is sent is shown whole, wherever it is shown:", () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp();
    await app.make.product({ category_id: (await app.make.category()).id });
  });
  afterEach(() => app.close());

  const rest = async (method: "get" | "post" | "patch" | "delete", path: string, body?: object) =>
    (await app.http[method](path).set("Authorization", app.asAdmin).send(body)).body;

  const graphql = async (document: string, input?: object) =>
    (await dataOf<{ answer: ReturnType<typeof JSON.parse> }>(app, document, input && { input }))
      .answer;

  /** The part of an object that REST shows, by the name of its schema. REST's contract is frozen. */
  const atRest = (schema: string, whole: object): object => {
    const known = Object.keys(at(`/components/schemas/${schema}/properties`) as object);
    return Object.fromEntries(Object.entries(whole).filter(([key]) => known.includes(key)));
  };

  /**
   * Expects every answer to show all attributes with the same values, including the sent ones. Answers of REST show
   * only the attributes that REST has.
   */
  function expectWhole(
    name: string,
    [first, ...others]: readonly object[],
    { rest = [], sent = resources[name]!.sample }: { rest?: readonly object[]; sent?: object } = {},
  ): void {
    expect(Object.keys(first!).sort()).toEqual(shown(name).sort());
    expect(first).toMatchObject(sent);
    for (const other of others) expect(other).toEqual(first);
    for (const other of rest) expect(other).toEqual(atRest(name, first!));
  }

  test("a category", async () => {
    const { sample } = resources.Category!;
    const all = fields("Category");
    const created = await rest("post", "/categories", atRest("CreateCategoryInput", sample));
    const path = `/categories/${created.id}`;
    const update = `mutation ($input: UpdateCategoryInput!) {
      answer: updateCategory(id: ${created.id}, input: $input) { ${all} }
    }`;
    const answers = [
      await graphql(update, sample),
      await graphql(`{ answer: category(id: ${created.id}) { ${all} } }`),
      ...(await graphql(`{ answer: categories(filter: { isActive: false }) { ${all} } }`)),
    ];
    expectWhole("Category", answers, {
      rest: [
        created,
        (await rest("get", "/categories")).at(-1),
        await rest("patch", path, atRest("UpdateCategoryInput", sample)),
        await rest("delete", path),
      ],
    });
    const again = await graphql(
      `mutation ($input: CreateCategoryInput!) { answer: createCategory(input: $input) { ${all} } }`,
      sample,
    );
    const deletion = `mutation { answer: deleteCategory(id: ${again.id}) { ${all} } }`;
    expectWhole("Category", [again, await graphql(deletion)]);
  });

  test("a product", async () => {
    const { sample } = resources.Product!;
    const all = fields("Product");
    const sent = atRest("CreateProductInput", sample);
    const created = await rest("post", "/products", sent);
    const { id, updatedAt } = created;
    const path = `/products/${id}`;
    const answers = [
      await graphql(`{ answer: product(id: ${id}) { ${all} } }`),
      (await graphql(`{ answer: products { data { ${all} } } }`)).data[0],
      (await graphql(`{ answer: productsConnection { edges { node { ${all} } } } }`)).edges[0].node,
      (await graphql(`{ answer: category(id: 1) { products { data { ${all} } } } }`)).products
        .data[0],
    ];
    expectWhole("Product", answers, {
      sent,
      rest: [
        created,
        await rest("get", path),
        (await rest("get", "/products")).data[0],
        (await rest("get", "/products/category/1"))[0],
        { ...(await rest("patch", `${path}/status`, { isActive: true })), updatedAt },
        { ...(await rest("delete", path)), updatedAt },
      ],
    });
    const again = await graphql(
      `mutation ($input: CreateProductInput!) { answer: createProduct(input: $input) { ${all} } }`,
      sample,
    );
    const update = `mutation ($input: UpdateProductInput!) {
      answer: updateProduct(id: ${again.id}, input: $input) { ${all} }
    }`;
    const updated = await graphql(update, sample);
    const deletion = `mutation { answer: deleteProduct(id: ${again.id}) { ${all} } }`;
    expectWhole("Product", [
      again,
      { ...updated, updatedAt: again.updatedAt },
      { ...(await graphql(deletion)), updatedAt: again.updatedAt },
    ]);
    // The update changes every value to that of the sample, so that a field that does not arrive is noticed.
    expect(await graphql(update.replace(again.id, "1"), sample)).toMatchObject(sample);
  });

  test("an order and its items", async () => {
    const { sample } = resources.Order!;
    const item = resources.OrderItem!.sample;
    const all = fields("Order");
    const { items, ...placed } = await rest("post", "/orders", { ...sample, items: [item] });
    const one = `{ answer: order(id: ${placed.id}) { ${all} items { ${fields("OrderItem")} } } }`;
    const { items: shownItems, ...shown } = await graphql(one);
    const answers = [
      shown,
      (await graphql(`{ answer: orders { data { ${all} } } }`)).data[0],
      (await graphql(`{ answer: ordersConnection { edges { node { ${all} } } } }`)).edges[0].node,
    ];
    expectWhole("Order", answers, {
      rest: [placed, (await rest("get", "/orders")).data[0]],
    });
    expectWhole("OrderItem", shownItems, { rest: items });
  });

  test("a subscriber, to administrators over GraphQL alone", async () => {
    const { sample } = resources.NewsletterSubscriber!;
    const document = "mutation ($email: String!) { subscribeToNewsletter(email: $email) }";
    await dataOf(app, document, sample);
    const list = `{ answer: newsletterSubscribers { data { ${fields("NewsletterSubscriber")} } } }`;
    expectWhole("NewsletterSubscriber", (await graphql(list)).data);
  });
});
