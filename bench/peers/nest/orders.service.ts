import { BadRequestException, Injectable } from "@nestjs/common";
import { DataSource, In } from "typeorm";
import { Order, OrderItem, Product } from "./entities";
import { PlaceOrderInput } from "./inputs";

@Injectable()
export class OrdersService {
  constructor(private readonly dataSource: DataSource) {}

  place({ customerEmail, items }: PlaceOrderInput) {
    return this.dataSource.transaction(async (manager) => {
      const ids = items.map(({ productId }) => productId);
      const products = await manager.findBy(Product, { id: In(ids), isActive: true });
      const prices = new Map(products.map(({ id, price }) => [id, price]));
      const priced = items.map((item) => {
        const unitPrice = prices.get(item.productId);
        if (unitPrice === undefined) throw new BadRequestException("Unknown product");
        return { ...item, unitPrice };
      });
      const total = priced.reduce((sum, item) => sum + Number(item.unitPrice) * item.quantity, 0);
      const order = await manager.save(Order, { customerEmail, totalAmount: total.toFixed(2) });
      const stored = await manager.save(
        OrderItem,
        priced.map((item) => ({ ...item, orderId: order.id })),
      );
      return { ...order, items: stored };
    });
  }
}
