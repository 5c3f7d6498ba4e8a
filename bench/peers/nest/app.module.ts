import { Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import { Category, Order, OrderItem, Product } from "./entities";
import { OrdersController } from "./orders.controller";
import { OrdersService } from "./orders.service";
import { ProductsController } from "./products.controller";
import { ProductsService } from "./products.service";

const entities = [Category, Product, Order, OrderItem];

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: "postgres",
      url: process.env.DATABASE_URL,
      poolSize: Number(process.env.DATABASE_POOL_SIZE),
      entities,
    }),
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [ProductsController, OrdersController],
  providers: [ProductsService, OrdersService],
})
export class AppModule {}
