import { readFileSync } from "node:fs";
import path from "node:path";
import { askScript } from "./ask-script";

type Json = ReturnType<typeof JSON.parse>;
type Change = (document: Json) => void;

const root = path.resolve(__dirname, "../..");
const released = readFileSync(path.join(root, "contracts/0.1.0/openapi.json"), "utf8");

const schema = (document: Json, name: string): Json => document.components.schemas[name];
const operation = (document: Json, name: string): Json => {
  const [method, template] = name.split(" ");
  return document.paths[template!][method!.toLowerCase()];
};
const parameter = (document: Json, name: string, wanted: string): Json =>
  operation(document, name).parameters.find((each: { name: string }) => each.name === wanted);
const answer = (document: Json, name: string, status: number): Json =>
  operation(document, name).responses[status];

const extensionsOf = (document: Json): Json =>
  schema(document, "GraphQLAnswer").properties.errors.items.properties.extensions;

function drop(list: unknown[], value: unknown): void {
  const place = list.indexOf(value);
  if (place < 0) throw new Error(`there is no ${String(value)}`);
  list.splice(place, 1);
}

/** A category may contain categories, so its schema is recursive. */
const nest: Change = (document) => {
  const category = schema(document, "Category");
  category.properties.parent = { $ref: "#/components/schemas/Category" };
};

/** Changes that break a client, each with the rule that must find it and the place that the rule must name. */
const breaks: readonly (readonly [rule: string, where: string, change: Change])[] = [
  ["server-removed", "the document", (d) => (d.servers = [{ url: "/v2" }])],
  ["operation-removed", "GET /orders", (d) => delete d.paths["/orders"].get],
  [
    "operation-removed",
    "PATCH /products/{id}/status",
    (d) => delete d.paths["/products/{id}/status"],
  ],
  [
    "operation-id-changed",
    "GET /orders",
    (d) => (operation(d, "GET /orders").operationId = "list"),
  ],
  [
    "security-stricter",
    "GET /products",
    (d) => (operation(d, "GET /products").security = [{ administrator: [] }]),
  ],
  [
    "security-stricter",
    "GET /orders",
    (d) => (operation(d, "GET /orders").security = [{ administrator: ["OWNER"] }]),
  ],
  [
    "security-scheme-changed",
    "the document",
    (d) => (d.components.securitySchemes.administrator.scheme = "basic"),
  ],
  [
    "parameter-removed",
    "GET /orders, query status",
    (d) => drop(operation(d, "GET /orders").parameters, parameter(d, "GET /orders", "status")),
  ],
  [
    "parameter-required",
    "POST /orders",
    (d) => (parameter(d, "POST /orders", "Idempotency-Key").required = true),
  ],
  [
    "parameter-required",
    "GET /products",
    (d) => (d.paths["/products"].parameters = [{ name: "Shop", in: "header", required: true }]),
  ],
  [
    "parameter-encoding-changed",
    "GET /orders, query status",
    (d) => (parameter(d, "GET /orders", "status").style = "pipeDelimited"),
  ],
  [
    "body-required",
    "DELETE /products/{id}, body",
    (d) => {
      const body = { required: true, content: { "application/json": { schema: {} } } };
      operation(d, "DELETE /products/{id}").requestBody = body;
    },
  ],
  [
    "request-media-type-removed",
    "POST /orders, body",
    (d) => {
      const { content } = operation(d, "POST /orders").requestBody;
      content["application/xml"] = content["application/json"];
      delete content["application/json"];
    },
  ],
  [
    "request-type-narrowed",
    "POST /products, body",
    (d) => (schema(d, "CreateProductInput").properties.price.type = "string"),
  ],
  [
    "request-values-removed",
    "GET /orders, query status",
    (d) => drop(parameter(d, "GET /orders", "status").schema.enum, "CANCELLED"),
  ],
  [
    "request-values-removed",
    "GET /categories, header If-None-Match",
    (d) => (parameter(d, "GET /categories", "If-None-Match").schema.enum = ["*"]),
  ],
  [
    "request-bound-tightened",
    "POST /orders, body",
    (d) => (schema(d, "PlaceOrderInput").properties.items.maxItems = 50),
  ],
  [
    "request-bound-tightened",
    "POST /orders, body",
    (d) => (schema(d, "PlaceOrderInput").properties.items.items.properties.quantity.minimum = 2),
  ],
  [
    "request-bound-tightened",
    "GET /orders, query customerEmail",
    (d) => (parameter(d, "GET /orders", "customerEmail").schema.maxLength = 254),
  ],
  [
    "request-form-tightened",
    "POST /orders, header Idempotency-Key",
    (d) => (parameter(d, "POST /orders", "Idempotency-Key").schema.pattern = "^[a-z]+$"),
  ],
  [
    "request-property-required",
    "POST /products, body",
    (d) => schema(d, "CreateProductInput").required.push("description"),
  ],
  [
    "request-property-removed",
    "PATCH /categories/{id}, body",
    (d) => delete schema(d, "UpdateCategoryInput").properties.slug,
  ],
  [
    "request-closed",
    "POST /graphql, body",
    (d) => (schema(d, "GraphQLRequest").additionalProperties = false),
  ],
  [
    "request-alternative-removed",
    "POST /products, body",
    (d) => {
      // The released price may also be a number, which is gone here.
      const price = schema(d, "CreateProductInput").properties.price;
      price.anyOf = [
        { type: "string", minLength: 4 },
        { type: "string", minLength: 5 },
      ];
    },
  ],
  [
    "request-default-changed",
    "GET /products, query pageSize",
    (d) => (parameter(d, "GET /products", "pageSize").schema.default = 20),
  ],
  [
    "request-keyword-changed",
    "POST /orders, body",
    (d) => (schema(d, "PlaceOrderInput").dependentRequired = { items: ["customerEmail"] }),
  ],
  [
    "status-added",
    "GET /products, 206",
    (d) => {
      const { responses } = operation(d, "GET /products");
      responses[206] = responses[200];
    },
  ],
  ["status-removed", "GET /products", (d) => delete operation(d, "GET /products").responses[304]],
  [
    "response-media-type-removed",
    "GET /graphql, 302",
    (d) => {
      delete answer(d, "GET /graphql", 302).content["text/plain"];
    },
  ],
  [
    "response-header-removed",
    "POST /products, 201",
    (d) => {
      delete answer(d, "POST /products", 201).headers.Location;
    },
  ],
  [
    "response-header-removed",
    "the document",
    (d) => delete d["x-headers-of-every-answer"]["X-Content-Type-Options"],
  ],
  [
    "response-header-optional",
    "GET /categories, 200",
    (d) => (d.components.headers.ETag.required = false),
  ],
  [
    "response-type-widened",
    "POST /orders, 201",
    (d) => (schema(d, "PlacedOrder").properties.customerEmail.type = ["string", "null"]),
  ],
  [
    "response-values-added",
    "POST /orders, 201",
    (d) => schema(d, "PlacedOrder").properties.status.enum.push("SHIPPED"),
  ],
  [
    "response-bound-loosened",
    "GET /products, 200",
    (d) => (schema(d, "PageMeta").properties.pageSize.maximum = 100),
  ],
  [
    "response-bound-loosened",
    "POST /orders, 201",
    (d) => delete schema(d, "PlacedOrder").properties.items.minItems,
  ],
  [
    "response-form-loosened",
    "POST /orders, 201",
    (d) => (schema(d, "PlacedOrder").properties.totalAmount.pattern = "^[0-9]+$"),
  ],
  [
    "response-property-optional",
    "GET /categories, 200",
    (d) => drop(schema(d, "Category").required, "slug"),
  ],
  [
    "response-property-removed",
    "GET /categories, 200",
    (d) => {
      delete schema(d, "Category").properties.slug;
      drop(schema(d, "Category").required, "slug");
    },
  ],
  ["response-property-added", "GET /categories, 200", nest],
  [
    "response-property-added",
    "GET /graphql, 200",
    (d) => (extensionsOf(d).properties.http.properties.hint = { type: "string" }),
  ],
  [
    "response-opened",
    "GET /categories, 200",
    (d) => delete schema(d, "Category").additionalProperties,
  ],
  [
    "response-alternative-added",
    "GET /graphql, 200",
    (d) => schema(d, "GraphQLAnswer").anyOf.push({ required: ["extensions"] }),
  ],
  [
    "response-keyword-changed",
    "GET /categories, 200",
    (d) => (schema(d, "Category").properties.name.contentEncoding = "base64"),
  ],
];

/** Changes that clients don't notice if they follow the released contract. */
const compatible: Readonly<Record<string, Change>> = {
  "the version of the service": (d) => (d.info.version = "9.0.0"),
  "descriptions and examples": (d) => {
    schema(d, "Category").properties.name.description = "Other words.";
    schema(d, "Category").examples = [];
    operation(d, "POST /orders").description = "Other words.";
    parameter(d, "POST /orders", "Expected-Total").example = "1.00";
  },
  "an operation": (d) => (d.paths["/teas"] = { get: operation(d, "GET /products") }),
  "an operation that needs no token any more": (d) => (operation(d, "GET /orders").security = []),
  "an optional parameter": (d) => {
    const sort = { name: "sort", in: "query", schema: { type: "string", default: "name" } };
    operation(d, "GET /products").parameters.push(sort);
  },
  "an optional property of a request": (d) => {
    schema(d, "PlaceOrderInput").properties.note = { type: "string", maxLength: 10 };
  },
  "a property that may be left out now": (d) => {
    drop(schema(d, "CreateProductInput").required, "categoryId");
  },
  "looser bounds, forms and types of a request": (d) => {
    const { items, customerEmail } = schema(d, "PlaceOrderInput").properties;
    items.maxItems = 200;
    delete items.items.properties.quantity.maximum;
    delete customerEmail.format;
    schema(d, "CreateCategoryInput").properties.isActive.type = ["boolean", "null"];
    delete schema(d, "LoginInput").additionalProperties;
  },
  "a value of a request": (d) => parameter(d, "GET /orders", "status").schema.enum.push("SHIPPED"),
  "an alternative of a request": (d) => {
    const { properties } = schema(d, "CreateProductInput");
    properties.price = { anyOf: [{ type: "object" }, properties.price] };
  },
  "a media type of a request, and of an answer": (d) => {
    operation(d, "POST /orders").requestBody.content["application/cbor"] = {};
    answer(d, "GET /products", 200).content["text/csv"] = {};
  },
  "an extension of GraphQL's errors": (d) => {
    extensionsOf(d).properties.hint = { type: "string" };
  },
  "an answer that promises more": (d) => {
    drop(schema(d, "Order").properties.status.enum, "PAID");
    schema(d, "PageMeta").properties.pageSize.maximum = 40;
    schema(d, "Category").properties.slug.minLength = 1;
    answer(d, "GET /products", 200).headers["X-New"] = { schema: {} };
  },
  "a refusal that never happens any more": (d) => {
    delete operation(d, "POST /orders").responses[429];
  },
  "a schema of another name": (d) => {
    d.components.schemas.Tea = schema(d, "Product");
    d.components.schemas.Product = { $ref: "#/components/schemas/Tea" };
  },
};

interface Finding {
  readonly rule: string;
  readonly where: string;
  readonly sentence: string;
  readonly pointer: string;
}

function changed(...changes: readonly Change[]): Json {
  const document = JSON.parse(released);
  for (const change of changes) change(document);
  return document;
}

const findings = (pairs: readonly (readonly [before: Json, now: Json])[]): Finding[][] =>
  askScript("breaking/openapi.mjs", "openapiBreaks", pairs) as Finding[][];

test("each planted break is found by its rule, where it is", () => {
  const found = findings(breaks.map(([, , change]) => [changed(), changed(change)]));
  const told = found.map((all) => [[...new Set(all.map(({ rule }) => rule))], all[0]?.where]);
  expect(told).toEqual(breaks.map(([rule, where]) => [[rule], where]));
}, 120_000);

test("every rule has a break that it finds, and a row among the rules", () => {
  const page = readFileSync(path.join(root, "docs/contract-changes.md"), "utf8");
  const listed = [...page.matchAll(/^\| `([a-z-]+)`/gm)].map(([, rule]) => rule);
  expect(listed.sort()).toEqual([...new Set(breaks.map(([rule]) => rule))].sort());
});

test("compatible changes are accepted", () => {
  const names = Object.keys(compatible);
  const found = findings(names.map((name) => [changed(), changed(compatible[name]!)]));
  expect(Object.fromEntries(names.map((name, place) => [name, found[place]]))).toEqual(
    Object.fromEntries(names.map((name) => [name, []])),
  );
});

test("a recursive schema comes to an end, and a break in it is found once", () => {
  const lessPromised: Change = (d) => drop(schema(d, "Category").required, "slug");
  const [same, broken] = findings([
    [changed(nest), changed(nest)],
    [changed(nest), changed(nest, lessPromised)],
  ]);
  expect(same).toEqual([]);
  expect(broken).toEqual([
    {
      rule: "response-property-optional",
      where: "GET /categories, 200",
      sentence: "slug is no longer always there",
      pointer: "#/components/schemas/Category",
    },
  ]);
});

test("keywords beside alternatives and references count, even if both sides have them", () => {
  const total =
    (minimum: number, place: string): Change =>
    (d) => {
      schema(d, "PageMeta").properties.total = {
        type: "integer",
        minimum,
        ...(place === "anyOf"
          ? { anyOf: [{ minimum: 5 }, { maximum: 3 }] }
          : { $ref: "#/components/schemas/PageMeta/properties/page" }),
      };
    };
  for (const found of findings(
    ["anyOf", "$ref"].map((place) => [changed(total(0, place)), changed(total(-1, place))]),
  )) {
    expect(found[0]).toMatchObject({ where: "GET /products, 200" });
  }
});
