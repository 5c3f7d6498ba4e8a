import { Body, Controller, Post } from "@nestjs/common";
import { PlaceOrderInput } from "./inputs";
import { OrdersService } from "./orders.service";

@Controller("orders")
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  place(@Body() input: PlaceOrderInput) {
    return this.orders.place(input);
  }
}
