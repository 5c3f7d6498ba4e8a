import { Controller, Get, Param, ParseIntPipe, Query } from "@nestjs/common";
import { PageInput } from "./inputs";
import { ProductsService } from "./products.service";

@Controller("products")
export class ProductsController {
  constructor(private readonly products: ProductsService) {}

  @Get()
  page(@Query() page: PageInput) {
    return this.products.page(page);
  }

  @Get(":id")
  one(@Param("id", ParseIntPipe) id: number) {
    return this.products.one(id);
  }
}
