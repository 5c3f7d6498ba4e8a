import { Injectable, NotFoundException } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import { Product } from "./entities";
import { PageInput } from "./inputs";

@Injectable()
export class ProductsService {
  constructor(@InjectRepository(Product) private readonly products: Repository<Product>) {}

  async page({ page, pageSize }: PageInput) {
    const [data, total] = await this.products.findAndCount({
      order: { createdAt: "DESC", id: "DESC" },
      take: pageSize,
      skip: (page - 1) * pageSize,
    });
    return { data, meta: { total, page, pageSize, totalPages: Math.ceil(total / pageSize) } };
  }

  async one(id: number) {
    const product = await this.products.findOneBy({ id });
    if (!product) throw new NotFoundException("Product not found");
    return product;
  }
}
