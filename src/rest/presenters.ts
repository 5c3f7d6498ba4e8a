import type { CategoryRecord } from "../services/catalogue/categories";
import type { OrderItemRecord, OrderRecord, PlacedOrder } from "../services/orders/placed-order";
import type { Page } from "../lists/pagination";
import type { ProductRecord } from "../services/catalogue/products";

// The fields are listed one by one so that a new column is never exposed by accident (contract 2).

export const presentAccessToken = (token: string) => ({ access_token: token });

export const presentCategory = (category: CategoryRecord) => ({
  id: category.id,
  name: category.name,
  slug: category.slug,
  isActive: category.isActive,
  createdAt: category.createdAt.toISOString(),
});

export const presentProduct = (product: ProductRecord) => ({
  id: product.id,
  name: product.name,
  slug: product.slug,
  description: product.description,
  price: product.price,
  isActive: product.isActive,
  categoryId: product.categoryId,
  createdAt: product.createdAt.toISOString(),
  updatedAt: product.updatedAt.toISOString(),
});

export const presentOrder = (order: OrderRecord) => ({
  id: order.id,
  customerEmail: order.customerEmail,
  totalAmount: order.totalAmount,
  status: order.status,
  createdAt: order.createdAt.toISOString(),
});

const presentOrderItem = (item: OrderItemRecord) => ({
  id: item.id,
  orderId: item.orderId,
  productId: item.productId,
  quantity: item.quantity,
  unitPrice: item.unitPrice,
});

/** The answer to placing an order. A replay repeats the first answer, so the status is always PENDING. */
export const presentPlacedOrder = ({ order, items }: PlacedOrder) => ({
  ...presentOrder({ ...order, status: "PENDING" }),
  items: items.map(presentOrderItem),
});

export const presentPage = <T, U>({ data, meta }: Page<T>, present: (entry: T) => U) => ({
  data: data.map(present),
  meta: {
    total: meta.total,
    page: meta.page,
    pageSize: meta.pageSize,
    totalPages: meta.totalPages,
  },
});
