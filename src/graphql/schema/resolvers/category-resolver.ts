import { Args, Ctx, Extensions, FieldResolver, Resolver, Root } from "type-graphql";
import type { Categories } from "../../../services/catalogue/categories";
import {
  CategoryFilter,
  CreateCategoryInput,
  UpdateCategoryInput,
} from "../../../services/catalogue/inputs/category-inputs";
import { ProductFilter, ProductSort } from "../../../services/catalogue/inputs/product-inputs";
import { findingCost, type ProductSearch } from "../../../services/catalogue/product-query";
import type { ListOptions } from "../../../lists/lists";
import {
  ExpectedVersionArg,
  FilterArg,
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
import { CategoryType } from "../types/catalogue";
import { ProductPageType } from "../types/lists";

@Resolver(() => CategoryType)
export class CategoryResolver {
  constructor(private readonly service: Categories) {}

  @Query(() => [CategoryType], "Categories by name, letter case ignored.")
  categories(@FilterArg(CategoryFilter, "categories") filter: CategoryFilter | null) {
    return this.service.list(filter);
  }

  @Query(() => CategoryType, "The category with this id or slug; null if there is none.", {
    nullable: true,
  })
  category(@Args() named: KeyArguments) {
    return this.service.find(named.key());
  }

  @Extensions({
    findingCost: (search: ProductSearch) => findingCost({ ...search, inCategory: true }),
  })
  @FieldResolver(() => ProductPageType, {
    description: "A page of the category's products, newest first unless sorted otherwise.",
  })
  products(
    @Root() category: CategoryType,
    @Args() page: PageArguments,
    @FilterArg(ProductFilter, "products") filter: ProductFilter | null,
    @SortArg(ProductSort) sort: ProductSort | null,
    @Options("meta") reading: ListOptions,
    @Selects("data", "description") withDescriptions: boolean,
    @Ctx("loaders") loaders: Loaders,
  ) {
    loaders.category.prime(category.id, category); // its products may select their category
    const query = { filter, sort, withDescriptions, ...reading };
    return loaders.pageOfCategory(page.request(), query).load(category.id);
  }

  @Mutation(() => CategoryType, "Creates a category.")
  createCategory(@InputArg("The category.") input: CreateCategoryInput) {
    return this.service.create(input);
  }

  @Mutation(() => CategoryType, "Changes a category.")
  updateCategory(
    @IdArg("category") id: number,
    @InputArg("What changes.") input: UpdateCategoryInput,
    @ExpectedVersionArg("category") expectedVersion: number | null,
  ) {
    return this.service.update(id, input, { expectedVersion });
  }

  @Mutation(() => CategoryType, "Deletes a category without products and returns it.")
  deleteCategory(
    @IdArg("category") id: number,
    @ExpectedVersionArg("category") expectedVersion: number | null,
  ) {
    return this.service.delete(id, { expectedVersion });
  }
}
