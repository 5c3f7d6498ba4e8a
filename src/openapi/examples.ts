import { DEFAULT_PAGE, DEFAULT_PAGE_SIZE } from "../lists/pagination";

export const accessToken = { access_token: "eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl" };

export const category = {
  id: 3,
  name: "Green tea",
  slug: "green-tea",
  isActive: true,
  createdAt: "2026-01-31T09:30:00.000Z",
};

export const product = {
  id: 7,
  name: "Sencha",
  slug: "sencha",
  description: "Steamed leaves from Shizuoka.",
  price: "12.50",
  isActive: true,
  categoryId: category.id,
  createdAt: "2026-01-31T09:35:00.000Z",
  updatedAt: "2026-02-03T16:20:11.250Z",
};

export const order = {
  id: 42,
  customerEmail: "ada@example.com",
  totalAmount: "25.00",
  status: "PENDING",
  createdAt: "2026-02-14T12:00:00.000Z",
};

export const orderItem = {
  id: 58,
  orderId: order.id,
  productId: product.id,
  quantity: 2,
  unitPrice: product.price,
};

export const placedOrder = { ...order, items: [orderItem] };

export const pageOf = (entry: object) => ({
  data: [entry],
  meta: { total: 1, page: DEFAULT_PAGE, pageSize: DEFAULT_PAGE_SIZE, totalPages: 1 },
});
