// Express and Sequelize as an introduction to either would have them: models, findAndCountAll, instances.
import express from "express";
import { DataTypes, Op, Sequelize } from "sequelize";

const { DATABASE_URL, DATABASE_POOL_SIZE, HOST, PORT } = process.env;
const sequelize = new Sequelize(DATABASE_URL, {
  logging: false,
  pool: { max: Number(DATABASE_POOL_SIZE) },
  define: { underscored: true },
});

const Product = sequelize.define("product", {
  name: DataTypes.TEXT,
  slug: DataTypes.TEXT,
  description: DataTypes.TEXT,
  price: DataTypes.DECIMAL(10, 2),
  isActive: DataTypes.BOOLEAN,
  categoryId: DataTypes.INTEGER,
});
const Order = sequelize.define(
  "order",
  {
    customerEmail: DataTypes.TEXT,
    totalAmount: DataTypes.DECIMAL(10, 2),
    status: { type: DataTypes.ENUM("PENDING", "PAID", "CANCELLED"), defaultValue: "PENDING" },
  },
  { updatedAt: false },
);
const OrderItem = sequelize.define(
  "orderItem",
  {
    productId: DataTypes.INTEGER,
    quantity: DataTypes.INTEGER,
    unitPrice: DataTypes.DECIMAL(10, 2),
  },
  { timestamps: false },
);
Order.hasMany(OrderItem, { as: "items" });

const app = express();
app.use(express.json());

app.get("/products", async (request, response) => {
  const page = Number(request.query.page ?? 1);
  const pageSize = Number(request.query.pageSize ?? 10);
  const { rows, count } = await Product.findAndCountAll({
    order: [
      ["createdAt", "DESC"],
      ["id", "DESC"],
    ],
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  const meta = { total: count, page, pageSize, totalPages: Math.ceil(count / pageSize) };
  response.json({ data: rows, meta });
});

app.get("/products/:id", async (request, response) => {
  const product = await Product.findByPk(request.params.id);
  if (!product) return response.status(404).json({ message: "Product not found" });
  response.json(product);
});

app.post("/orders", async (request, response) => {
  const { customerEmail, items } = request.body;
  const order = await sequelize.transaction(async (transaction) => {
    const ids = items.map(({ productId }) => productId);
    const where = { id: { [Op.in]: ids }, isActive: true };
    /** @type {any[]} */
    const products = await Product.findAll({ where, transaction });
    const prices = new Map(products.map(({ id, price }) => [id, price]));
    if (ids.some((id) => !prices.has(id))) return undefined;
    const priced = items.map((item) => ({ ...item, unitPrice: prices.get(item.productId) }));
    const total = priced.reduce((sum, item) => sum + Number(item.unitPrice) * item.quantity, 0);
    return Order.create(
      { customerEmail, totalAmount: total.toFixed(2), items: priced },
      { include: "items", transaction },
    );
  });
  if (!order) return response.status(400).json({ message: "Unknown product" });
  response.status(201).json(order);
});

app.listen(Number(PORT), HOST);
