import { Arg, Args, Ctx, Extensions, FieldResolver, Int, Resolver, Root } from "type-graphql";
import {
  CreateProductInput,
  ProductFilter,
  ProductSort,
  UpdateProductInput,
} from "../../../services/catalogue/inputs/product-inputs";
import { findingCost } from "../../../services/catalogue/product-query";
import type { Prices } from "../../../services/catalogue/prices";
import type { Products } from "../../../services/catalogue/products";
import type { ListOptions } from "../../../lists/lists";
import { Money } from "../../../vocabulary/money";
import {
  ConnectionArguments,
  ExpectedVersionArg,
  FilterArg,
  FirstArguments,
  IdArg,
  InputArg,
  KeyArguments,
  Options,
  PageArguments,
  Selects,
  SortArg,
} from "../types/arguments";
import { Mutation, Query } from "../decorators/operation";
import type { Loaders } from "../loaders";
import { presentConnection, ProductConnectionType, ProductPageType } from "../types/lists";
import { PriceType, ProductType } from "../types/catalogue";

@Resolver(() => ProductType)
export class ProductResolver {
  constructor(
    private readonly service: Products,
    private readonly history: Prices,
  ) {}

  @Extensions({ findingCost })
  @Query(() => ProductPageType, "A page of products, newest first unless sorted otherwise.")
  products(
    @Args() page: PageArguments,
    @FilterArg(ProductFilter, "products") filter: ProductFilter | null,
    @SortArg(ProductSort) sort: ProductSort | null,
    @Options("meta") reading: ListOptions,
    @Selects("data", "category") withCategories: boolean,
    @Selects("data", "description") withDescriptions: boolean,
  ) {
    const query = { filter, sort, withCategories, withDescriptions, ...reading };
    return this.service.page(page.request(), query);
  }

  @Extensions({ findingCost })
  @Query(
    () => ProductConnectionType,
    "Products by cursor, newest first unless sorted otherwise: for infinite scrolling.",
  )
  async productsConnection(
    @Args() part: ConnectionArguments,
    @FilterArg(ProductFilter, "products") filter: ProductFilter | null,
    @SortArg(ProductSort) sort: ProductSort | null,
    @Options("totalCount") reading: ListOptions,
    @Selects("edges", "node", "category") withCategories: boolean,
    @Selects("edges", "node", "description") withDescriptions: boolean,
  ) {
    const query = { filter, sort, withCategories, withDescriptions, ...reading };
    return presentConnection(await this.service.keysetPage(part.request(), query));
  }

  @Query(() => ProductType, "The product with this id or slug; null if there is none.", {
    nullable: true,
  })
  product(@Args() named: KeyArguments) {
    return this.service.find(named.key());
  }

  @FieldResolver(() => [PriceType], {
    description:
      "Its prices, newest first: the present one, and those before since the shop keeps them.",
  })
  prices(
    @Root() { id }: ProductType,
    @Args() list: FirstArguments,
    @Ctx("loaders") loaders: Loaders,
  ) {
    return loaders.pricesOfProduct(list.size()).load(id);
  }

  @Extensions({ cost: 1 })
  @FieldResolver(() => Money, {
    nullable: true,
    description:
      "The lowest price of the 30 days before the present one began; null if there was none in them.",
  })
  lowestPriceBefore(@Root() { id }: ProductType, @Ctx("loaders") loaders: Loaders) {
    return loaders.lowestPriceBefore.load(id);
  }

  @Mutation(() => ProductType, "Creates a product.")
  createProduct(@InputArg("The product.") input: CreateProductInput) {
    return this.service.create(input);
  }

  @Mutation(() => ProductType, "Changes a product.")
  updateProduct(
    @IdArg("product") id: number,
    @InputArg("What changes.") input: UpdateProductInput,
    @ExpectedVersionArg("product") expectedVersion: number | null,
  ) {
    return this.service.update(id, input, { expectedVersion });
  }

  @Mutation(() => ProductType, "Sets whether a product can be ordered.")
  setProductStatus(
    @IdArg("product") id: number,
    @Arg("isActive", { description: "Whether it can be ordered." }) isActive: boolean,
    @ExpectedVersionArg("product") expectedVersion: number | null,
  ) {
    return this.service.setStatus(id, isActive, { expectedVersion });
  }

  @Mutation(
    () => ProductType,
    "Takes an earlier price, a mistake, out of `lowestPriceBefore`. A conflict if it was in force for more than an " +
      "hour, or if an order was placed at it.",
  )
  withdrawPrice(
    @Arg("productId", () => Int, { description: "The product's id." }) productId: number,
    @Arg("from", () => Date, { description: "When the price began." }) from: Date,
    @ExpectedVersionArg("product") expectedVersion: number | null,
  ) {
    return this.history.withdraw(productId, from, { expectedVersion });
  }

  @Mutation(() => ProductType, "Deletes a product that was never ordered and returns it.")
  deleteProduct(
    @IdArg("product") id: number,
    @ExpectedVersionArg("product") expectedVersion: number | null,
  ) {
    return this.service.delete(id, { expectedVersion });
  }
}
