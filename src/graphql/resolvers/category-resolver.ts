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
import type { CategoryRecord, Categories } from "../../services/catalogue/categories";
import { CategoryFilter } from "../../services/catalogue/inputs/category-filter";
import { CreateCategoryInput } from "../../services/catalogue/inputs/create-category-input";
import { ProductFilter } from "../../services/catalogue/inputs/product-filter";
import { ProductSort } from "../../services/catalogue/inputs/product-sort";
import { UpdateCategoryInput } from "../../services/catalogue/inputs/update-category-input";
import { pageRequest, type Page } from "../../services/lists/pagination";
import { findingPrice, type ProductWish } from "../../services/catalogue/product-query";
import type { ProductRecord } from "../../services/catalogue/products";
import type { Context } from "../context";
import { isSelected } from "../selection";
import { KeyArguments, PageArguments } from "../types/arguments";
import { CategoryType } from "../types/category";
import { ProductPageType } from "../types/pages";
import { keyOf } from "./key";

/** The categories of the catalogue. */
@Resolver(() => CategoryType)
export class CategoryResolver {
  constructor(private readonly service: Categories) {}

  @Query(() => [CategoryType], { description: "Categories by name, letter case ignored." })
  categories(
    @Arg("filter", () => CategoryFilter, { nullable: true, description: "Which categories." })
    filter: CategoryFilter | null,
  ): Promise<CategoryRecord[]> {
    return this.service.list(filter ?? {});
  }

  @Query(() => CategoryType, {
    nullable: true,
    description: "The category with this id or slug; null where there is none.",
  })
  category(@Args(() => KeyArguments) key: KeyArguments): Promise<CategoryRecord | null> {
    return this.service.find(keyOf(key));
  }

  @Extensions({ price: (wish: ProductWish) => findingPrice({ ...wish, inCategory: true }) })
  @FieldResolver(() => ProductPageType, {
    description: "A page of the category's products, newest first unless sorted otherwise.",
  })
  products(
    @Root() category: CategoryType,
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Arg("filter", () => ProductFilter, { nullable: true, description: "Which products." })
    filter: ProductFilter | null,
    @Arg("sort", () => ProductSort, { nullable: true, description: "In which order." })
    sort: ProductSort | null,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<ProductRecord>> {
    const query = {
      filter: filter ?? undefined,
      sort: sort ?? undefined,
      counted: isSelected(info, "meta"),
    };
    return loaders.pageOfCategory(pageRequest(page, pageSize), query).load(category.id);
  }

  @Authorized(ADMIN)
  @Mutation(() => CategoryType, { description: "Creates a category. For administrators." })
  createCategory(
    @Arg("input", () => CreateCategoryInput, { description: "The category." })
    input: CreateCategoryInput,
  ): Promise<CategoryRecord> {
    return this.service.create(input);
  }

  @Authorized(ADMIN)
  @Mutation(() => CategoryType, { description: "Changes a category. For administrators." })
  updateCategory(
    @Arg("id", () => Int, { description: "The category's id." }) id: number,
    @Arg("input", () => UpdateCategoryInput, { description: "What changes." })
    input: UpdateCategoryInput,
  ): Promise<CategoryRecord> {
    return this.service.update(id, input);
  }

  @Authorized(ADMIN)
  @Mutation(() => CategoryType, {
    description: "Deletes a category without products and returns it. For administrators.",
  })
  deleteCategory(
    @Arg("id", () => Int, { description: "The category's id." }) id: number,
  ): Promise<CategoryRecord> {
    return this.service.delete(id);
  }
}
