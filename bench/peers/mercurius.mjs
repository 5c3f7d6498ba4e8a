// mercurius, with graphql-jit and handwritten SQL.
import Fastify from "fastify";
import mercurius from "mercurius";
import pg from "pg";

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) });

const PRODUCT = `id, name, slug, description, price, is_active AS "isActive", category_id AS "categoryId",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const schema = `
  scalar DateTime
  scalar Decimal
  type Category { id: Int! name: String! slug: String! }
  type Product {
    id: Int! name: String! slug: String! description: String! price: Decimal! isActive: Boolean!
    categoryId: Int! createdAt: DateTime! updatedAt: DateTime! category: Category!
  }
  type PageMeta { total: Int! page: Int! pageSize: Int! totalPages: Int! }
  type ProductPage { data: [Product!]! meta: PageMeta! }
  type Query { products(page: Int = 1, pageSize: Int = 10): ProductPage! }
`;

const resolvers = {
  Query: {
    async products(_, { page, pageSize }) {
      const [part, counted] = await Promise.all([
        pool.query({
          name: "products",
          text: `SELECT ${PRODUCT} FROM products ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2`,
          values: [pageSize, (page - 1) * pageSize],
        }),
        pool.query({ name: "total", text: "SELECT count(*)::int AS total FROM products" }),
      ]);
      const { total } = counted.rows[0];
      return {
        data: part.rows,
        meta: { total, page, pageSize, totalPages: Math.ceil(total / pageSize) },
      };
    },
  },
};

const loaders = {
  Product: {
    async category(queries) {
      const ids = queries.map(({ obj }) => obj.categoryId);
      const { rows } = await pool.query({
        name: "categories",
        text: "SELECT id, name, slug FROM categories WHERE id = ANY($1)",
        values: [[...new Set(ids)]],
      });
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    },
  },
};

const app = Fastify();
app.register(mercurius, { schema, resolvers, loaders, jit: 1 });
await app.listen({ port: Number(PORT), host: HOST });
