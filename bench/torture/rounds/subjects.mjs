import { randomInt } from "node:crypto";

/**
 * What clients were told of one thing, whose value goes up by 1 with each change. One client changes it, so that its
 * values are acknowledged in order.
 */
class Told {
  /** The greatest value that was sent, and so may be seen. */
  sent = 0;
  #acknowledged = [];

  /** Records the answer to the change that was last sent, by a process. */
  acknowledge(process) {
    this.#acknowledged.push({ value: this.sent, process, at: performance.now() });
  }

  /**
   * The least values that a read may show which begins now at a process: to whoever changed something, and to others.
   * `position` is what the client sends of an earlier change: of which thing and value, and when that change was sent.
   */
  due({ process, position, maxLag }) {
    const begun = performance.now();
    const last = (isDue) => this.#acknowledged.findLast(isDue)?.value ?? 0;
    const isInPosition = ({ at, value }) =>
      position && (at <= position.sentAt || (this === position.told && value <= position.value));
    return {
      own: last((each) => each.process === process || isInPosition(each)),
      others: last(({ at }) => at <= begun - maxLag),
    };
  }
}

/** Rows of the longest list: too many to be read in one statement, and too much text to be kept. */
const LONG = {
  products: 1_100,
  description: "Long, for a list that is read in parts. ".repeat(20),
};

const NEWEST = 50;

const rest = (path, show) => ({ path, show });
const graphql = (query, show, variables = {}) => ({
  ...mutation(query, variables),
  show: ({ data }) => show(data),
});

const restChange = (method, path, json) => ({ method, path, json });
const mutation = (query, variables) => restChange("POST", "/graphql", { query, variables });

/** The number at the end of a name, or in a price or an address. */
const numberIn = (text) => Number(/\d+/.exec(text ?? "0")?.[0] ?? 0);
const inPrice = (price) => Math.round(Number(price) * 100);
const inList = (rows, id) => rows.find((each) => each.id === id);
/** The greatest number of a client's addresses. */
const newestIn = (addresses, client) =>
  Math.max(0, ...addresses.filter((each) => each.includes(`.${client}@`)).map(numberIn));

const RENAME = `mutation ($id: Int!, $name: String!) {
  updateCategory(id: $id, input: { name: $name }) { id }
}`;
const REPRICE = `mutation ($id: Int!, $price: Decimal!) {
  updateProduct(id: $id, input: { price: $price }) { id }
}`;
const PLACE = "mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { id } }";
const CREATE = "mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }";
const DELETE = "mutation ($id: Int!) { deleteProduct(id: $id) { id } }";
const SUBSCRIBE = "mutation ($email: String!) { subscribeToNewsletter(email: $email) }";

const ORDERS_OF = `query ($address: String) {
  orders(filter: { customerSearch: $address }) { meta { total } }
}`;
const EVENTS_OF = `query ($id: Int!, $subject: AuditSubject!) {
  events(first: 1, filter: { subject: $subject, subjectId: $id }) { edges { node { data } } }
}`;
const AUDIT_OF = `query ($id: Int!) {
  auditLog(first: 1, filter: { subject: CATEGORY, subjectId: $id }) {
    edges { node { changes { field after } } }
  }
}`;

/**
 * The name of a category. Like each of the subjects, it has requests that change it to a value, one for each API, and
 * reads, with functions that tell from an answer which value it shows. What belongs to the catalogue has a statement
 * that changes it too, and its reads of the catalogue by themselves.
 */
const categoryName = ({ category: id, slug }) => {
  const catalogue = () => [
    rest("/categories", (rows) => numberIn(inList(rows, id)?.name)),
    graphql("{ categories { id name } }", ({ categories }) =>
      numberIn(inList(categories, id)?.name),
    ),
    graphql(`{ category(id: ${id}) { name } }`, ({ category }) => numberIn(category.name)),
    graphql(`{ category(slug: "${slug}") { name } }`, ({ category }) => numberIn(category.name)),
    graphql("{ products { data { category { id name } } } }", ({ products }) =>
      numberIn(products.data.find(({ category }) => category.id === id)?.category.name),
    ),
  ];
  return {
    told: new Told(),
    catalogue,
    statement: (value) => [
      "UPDATE categories SET name = $2 WHERE id = $1",
      [id, `Round ${value} of ${id}`],
    ],
    changes: (value) => [
      restChange("PATCH", `/categories/${id}`, { name: `Round ${value} of ${id}` }),
      mutation(RENAME, { id, name: `Round ${value} of ${id}` }),
    ],
    reads: () => [
      ...catalogue(),
      graphql(EVENTS_OF, ({ events }) => numberIn(events.edges[0]?.node.data.name), {
        id,
        subject: "CATEGORY",
      }),
      graphql(
        AUDIT_OF,
        ({ auditLog }) =>
          numberIn(auditLog.edges[0]?.node.changes.find(({ field }) => field === "name")?.after),
        { id },
      ),
    ],
  };
};

const productPrice = ({ category, product: id, slug }) => {
  const priceIn = (rows) => inPrice(inList(rows, id)?.price);
  const catalogue = () => [
    rest(`/products/${id}`, ({ price }) => inPrice(price)),
    rest("/products", ({ data }) => priceIn(data)),
    rest(`/products?page=1&pageSize=${NEWEST}`, ({ data }) => priceIn(data)),
    rest(`/products/category/${category}`, priceIn),
    graphql(`{ product(id: ${id}) { price } }`, ({ product }) => inPrice(product.price)),
    graphql(`{ product(slug: "${slug}-1") { price } }`, ({ product }) => inPrice(product.price)),
    graphql(`{ products(pageSize: ${NEWEST}) { data { id price } } }`, ({ products }) =>
      priceIn(products.data),
    ),
    graphql("{ productsConnection { edges { node { id price } } } }", ({ productsConnection }) =>
      priceIn(productsConnection.edges.map(({ node }) => node)),
    ),
    graphql("{ categories { products { data { id price } } } }", ({ categories }) =>
      priceIn(categories.flatMap(({ products }) => products.data)),
    ),
  ];
  return {
    told: new Told(),
    catalogue,
    statement: (value) => ["UPDATE products SET price = $2 WHERE id = $1", [id, value / 100]],
    changes: (value) => [mutation(REPRICE, { id, price: (value / 100).toFixed(2) })],
    reads: () => [
      ...catalogue(),
      graphql(`{ product(id: ${id}) { prices { price } } }`, ({ product }) =>
        inPrice(product.prices[0].price),
      ),
      graphql(EVENTS_OF, ({ events }) => inPrice(events.edges[0]?.node.data.price ?? 0), {
        id,
        subject: "PRODUCT",
      }),
    ],
  };
};

/** Orders of a client, whose addresses are numbered. */
const orders = ({ client, product }) => {
  const told = new Told();
  const orderOf = (value) => ({
    customerEmail: `${value}.${client}@rounds.example`,
    items: [{ productId: product, quantity: 1 }],
  });
  return {
    told,
    changes: (value) => [
      restChange("POST", "/orders", orderOf(value)),
      mutation(PLACE, { input: orderOf(value) }),
    ],
    reads: () => {
      const { sent } = told;
      return [
        rest(`/orders?page=1&pageSize=${NEWEST}`, ({ data }) =>
          newestIn(
            data.map((each) => each.customerEmail),
            client,
          ),
        ),
        {
          ...rest(`/orders?customerEmail=${sent}.${client}@rounds.example`, ({ meta }) =>
            meta.total > 0 ? sent : sent - 1,
          ),
          most: sent,
        },
        graphql(ORDERS_OF, (data) => data.orders.meta.total, {
          address: `.${client}@rounds.example`,
        }),
        graphql(
          `{ ordersConnection(first: ${NEWEST}) { edges { node { customerEmail } } } }`,
          ({ ordersConnection: { edges } }) =>
            newestIn(
              edges.map(({ node }) => node.customerEmail),
              client,
            ),
        ),
        graphql(
          `{ events(first: ${NEWEST}, filter: { types: ["order.placed"] }) { edges { node { data } } } }`,
          ({ events: { edges } }) =>
            newestIn(
              edges.map(({ node }) => node.data.customerEmail),
              client,
            ),
        ),
      ];
    },
  };
};

/** Products that come and go: with an odd value, there is one. */
const comingAndGoing = ({ client, category }) => {
  const told = new Told();
  let newest = { id: 0, value: -1 };
  const productOf = (value) => ({
    name: `Passing ${value} of ${client}`,
    price: "1.00",
    categoryId: category,
  });
  return {
    told,
    changes: (value) =>
      value % 2 === 1
        ? [
            restChange("POST", "/products", productOf(value)),
            mutation(CREATE, { input: productOf(value) }),
          ]
        : [restChange("DELETE", `/products/${newest.id}`), mutation(DELETE, { id: newest.id })],
    note: (value, { id, data }) => {
      if (value % 2 === 1) newest = { id: id ?? data.createProduct.id, value };
    },
    reads: () => {
      const { id, value } = newest;
      // One that is not there is there no more, once somebody has been asked to delete it.
      const shown = (isThere) => (isThere ? value : told.sent > value ? value + 1 : value - 1);
      const read = (each) => ({ ...each, most: value + 1 });
      const list = (rows) => shown(inList(rows, id) !== undefined);
      return [
        rest(`/products/${id}`, (body) => shown(body.id === id)),
        rest(`/products?page=1&pageSize=${NEWEST}`, ({ data }) => list(data)),
        rest(`/products/category/${category}`, list),
        graphql(`{ product(id: ${id}) { id } }`, ({ product }) => shown(product !== null)),
        graphql(`{ products(pageSize: ${NEWEST}) { data { id } } }`, ({ products }) =>
          list(products.data),
        ),
      ].map(read);
    },
  };
};

const subscribers = ({ client }) => ({
  told: new Told(),
  changes: (value) => [mutation(SUBSCRIBE, { email: `${value}.${client}@rounds.example` })],
  reads: () => [
    graphql(
      `{ newsletterSubscribers(pageSize: ${NEWEST}) { data { email } } }`,
      ({ newsletterSubscribers: { data } }) =>
        newestIn(
          data.map(({ email }) => email),
          client,
        ),
    ),
  ],
});

/** The price of a product in a long list, which is read in parts. */
const inLongList = ({ longCategory, longProduct: id }) => ({
  told: new Told(),
  changes: (value) => [mutation(REPRICE, { id, price: (value / 100).toFixed(2) })],
  reads: () => [
    rest(`/products/category/${longCategory}`, (rows) => inPrice(inList(rows, id)?.price)),
  ],
});

/** What a client changes of the things in the shop that are its own; see {@link stock}. */
export function subjectsOf(own) {
  const catalogue = [categoryName(own), productPrice(own)];
  return {
    catalogue,
    often: [...catalogue, orders(own), comingAndGoing(own), subscribers(own)],
    seldom: inLongList(own),
  };
}

/** Makes each client's things in the shop of a stage. */
export async function stock(stage, clients) {
  const category = async (slug) => {
    const [{ id }] = await stage.sql(
      "INSERT INTO categories (name, slug) VALUES ('Not renamed', $1) RETURNING id",
      [slug],
    );
    return id;
  };
  const products = (slug, categoryId, count, description) =>
    stage.sql(
      `INSERT INTO products (name, slug, price, description, category_id, is_active)
       SELECT 'Tea', $1 || '-' || n, 0, $2, $3::integer, true
       FROM generate_series(1, $4::integer) AS n RETURNING id`,
      [slug, description, categoryId, count],
    );
  const name = `rounds-${randomInt(1_000_000)}`;
  const longCategory = await category(name);
  const long = await products(name, longCategory, LONG.products, LONG.description);
  const own = [];
  for (let client = 0; client < clients; client += 1) {
    const slug = `${name}-of-${client}`;
    const id = await category(slug);
    const [product] = await products(slug, id, 1, "");
    own.push({
      ...{ client: `client${client}`, category: id, product: product.id, slug },
      ...{ longCategory, longProduct: long[client * 250].id },
    });
  }
  return own;
}
