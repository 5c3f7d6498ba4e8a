import { hashSync } from "bcrypt";

type Sql = <Row extends object>(statement: string, values?: unknown[]) => Promise<Row[]>;

/** The password of administrators that are made without one. */
export const PASSWORD = "correct horse battery";

const hashes = new Map<string, string>();

function hashOf(password: string): string {
  const hash = hashes.get(password) ?? hashSync(password, 4);
  hashes.set(password, hash);
  return hash;
}

/** Inserts the rows that a case needs into the database. Values that don't matter to the case have defaults. */
export function createFactories(sql: Sql) {
  let serial = 0;
  const next = (): number => (serial += 1);

  const insert = async <Row extends object>(table: string, values: object): Promise<Row> => {
    const present = Object.entries(values).filter(([, value]) => value !== undefined);
    const columns = present.map(([column]) => column).join(", ");
    const places = present.map((_, index) => `$${index + 1}`).join(", ");
    const [row] = await sql<Row>(
      `INSERT INTO ${table} (${columns}) VALUES (${places}) RETURNING *`,
      present.map(([, value]) => value),
    );
    if (!row) throw new Error(`Nothing was inserted into ${table}`);
    return row;
  };

  const category = (values: { name?: string; slug?: string; is_active?: boolean } = {}) => {
    const number = next();
    return insert<{ id: number; name: string; slug: string }>("categories", {
      name: `Category ${number}`,
      slug: `made-category-${number}`,
      ...values,
    });
  };

  const product = async (
    values: {
      name?: string;
      slug?: string;
      description?: string;
      price?: string;
      is_active?: boolean;
      category_id?: number;
      created_at?: Date | string;
    } = {},
  ) => {
    const number = next();
    return insert<{ id: number; name: string; slug: string; price: string; category_id: number }>(
      "products",
      {
        name: `Product ${number}`,
        slug: `made-product-${number}`,
        price: "10.00",
        is_active: true,
        category_id: values.category_id ?? (await category()).id,
        ...values,
      },
    );
  };

  const order = async (
    values: {
      customer_email?: string;
      total_amount?: string;
      status?: "PENDING" | "PAID" | "CANCELLED";
      created_at?: Date | string;
    } = {},
  ) =>
    insert<{ id: number; customer_email: string; status: string }>("orders", {
      customer_email: `customer-${next()}@example.com`,
      total_amount: "0.00",
      ...values,
    });

  const orderItem = (values: {
    order_id: number;
    product_id: number;
    quantity?: number;
    unit_price?: string;
  }) => insert<{ id: number }>("order_items", { quantity: 1, unit_price: "10.00", ...values });

  const admin = ({
    password = PASSWORD,
    ...values
  }: {
    email?: string;
    password?: string;
    /** Any hash, instead of the cheapest one of the password. */
    password_hash?: string;
    is_active?: boolean;
    role?: string;
  } = {}) =>
    insert<{ id: number; email: string; role: string }>("admins", {
      email: `admin-${next()}@example.com`,
      password_hash: hashOf(password),
      ...values,
    });

  const subscriber = (values: { email?: string; is_active?: boolean } = {}) =>
    insert<{ id: number; email: string }>("newsletter_subscribers", {
      email: `reader-${next()}@example.com`,
      ...values,
    });

  /** An endpoint whose secret no key opens. */
  const webhookEndpoint = () =>
    insert<{ id: number }>("webhook_endpoints", {
      ...{ url: "https://example.com/", secret: "sealed", rotated_at: new Date() },
    });

  return { category, product, order, orderItem, admin, subscriber, webhookEndpoint };
}

export type Factories = ReturnType<typeof createFactories>;
