import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Extensions,
  FieldResolver,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { ADMIN } from "../../services/administrators/authentication";
import type { CategoryRecord } from "../../services/catalogue/categories";
import { keysetRequest } from "../../services/lists/keyset";
import { CreateProductInput } from "../../services/catalogue/inputs/create-product-input";
import { ProductFilter } from "../../services/catalogue/inputs/product-filter";
import { ProductSort } from "../../services/catalogue/inputs/product-sort";
import { UpdateProductInput } from "../../services/catalogue/inputs/update-product-input";
import { pageRequest, type Page } from "../../services/lists/pagination";
import { findingPrice } from "../../services/catalogue/product-query";
import type { ProductRecord, Products } from "../../services/catalogue/products";
import type { Context } from "../context";
import { isSelected } from "../selection";
import { ConnectionArguments, KeyArguments, PageArguments } from "../types/arguments";
import { CategoryType } from "../types/category";
import { presentConnection, ProductConnectionType } from "../types/connections";
import { ProductPageType } from "../types/pages";
import { ProductType } from "../types/product";
import { keyOf } from "./key";

/** The products of the catalogue. */
@Resolver(() => ProductType)
export class ProductResolver {
  constructor(private readonly service: Products) {}

  @Extensions({ price: findingPrice })
  @Query(() => ProductPageType, {
    description: "A page of products, newest first unless sorted otherwise.",
  })
  products(
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Arg("filter", () => ProductFilter, { nullable: true, description: "Which products." })
    filter: ProductFilter | null,
    @Arg("sort", () => ProductSort, { nullable: true, description: "In which order." })
    sort: ProductSort | null,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<ProductRecord>> {
    return this.service.page(pageRequest(page, pageSize), {
      filter: filter ?? undefined,
      sort: sort ?? undefined,
      counted: isSelected(info, "meta"),
    });
  }

  @Extensions({ price: findingPrice })
  @Query(() => ProductConnectionType, {
    description: "Products by keyset, newest first: for lists that go on without end.",
  })
  async productsConnection(
    @Args(() => ConnectionArguments) { first, after }: ConnectionArguments,
    @Arg("filter", () => ProductFilter, { nullable: true, description: "Which products." })
    filter: ProductFilter | null,
    @Info() info: GraphQLResolveInfo,
  ) {
    return presentConnection(
      await this.service.keysetPage(keysetRequest(first, after), {
        filter: filter ?? undefined,
        counted: isSelected(info, "totalCount"),
      }),
    );
  }

  @Query(() => ProductType, {
    nullable: true,
    description: "The product with this id or slug; null where there is none.",
  })
  product(@Args(() => KeyArguments) key: KeyArguments): Promise<ProductRecord | null> {
    return this.service.find(keyOf(key));
  }

  @FieldResolver(() => CategoryType, { description: "Its category." })
  category(@Root() product: ProductType, @Ctx() { loaders }: Context): Promise<CategoryRecord> {
    return loaders.category.load(product.categoryId);
  }

  @Authorized(ADMIN)
  @Mutation(() => ProductType, { description: "Creates a product. For administrators." })
  createProduct(
    @Arg("input", () => CreateProductInput, { description: "The product." })
    input: CreateProductInput,
  ): Promise<ProductRecord> {
    return this.service.create(input);
  }

  @Authorized(ADMIN)
  @Mutation(() => ProductType, { description: "Changes a product. For administrators." })
  updateProduct(
    @Arg("id", () => Int, { description: "The product's id." }) id: number,
    @Arg("input", () => UpdateProductInput, { description: "What changes." })
    input: UpdateProductInput,
  ): Promise<ProductRecord> {
    return this.service.update(id, input);
  }

  @Authorized(ADMIN)
  @Mutation(() => ProductType, {
    description: "Switches on or off whether a product can be ordered. For administrators.",
  })
  setProductStatus(
    @Arg("id", () => Int, { description: "The product's id." }) id: number,
    @Arg("isActive", () => Boolean, { description: "Whether it can be ordered." })
    isActive: boolean,
  ): Promise<ProductRecord> {
    return this.service.setStatus(id, isActive);
  }

  @Authorized(ADMIN)
  @Mutation(() => ProductType, {
    description: "Deletes a product that was never ordered and returns it. For administrators.",
  })
  deleteProduct(
    @Arg("id", () => Int, { description: "The product's id." }) id: number,
  ): Promise<ProductRecord> {
    return this.service.delete(id);
  }
}
