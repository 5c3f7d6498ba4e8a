import { Extensions, Field, Int, ObjectType, type ClassType } from "type-graphql";
import { LIST_COSTS } from "../../../lists/lists";
import { CustomerType } from "./customer";
import { NewsletterSubscriberType } from "./newsletter-subscriber";
import { OrderType } from "./order";
import { ProductType } from "./product";

/** The pagination meta object (contract 2.meta). */
@ObjectType("PageMeta", {
  description: "The position of a page in its list.",
  simpleResolvers: true,
})
class PageMetaType {
  @Field(() => Int, { description: "The number of entries that match the filter." })
  total!: number;

  @Field(() => Int, { description: "This page, from 1." })
  page!: number;

  @Field(() => Int, { description: "The most entries of a page." })
  pageSize!: number;

  @Field(() => Int, { description: "The number of pages; 0 when total is 0." })
  totalPages!: number;
}

function pageOf<T extends object>(Entry: ClassType<T>, name: string, entries: string) {
  @ObjectType(name, { description: `A page of ${entries}.`, simpleResolvers: true })
  class PageType {
    @Extensions({ isPage: true })
    @Field(() => [Entry], { description: `The ${entries} of this page.` })
    data!: T[];

    @Extensions({ cost: LIST_COSTS.total })
    @Field(() => PageMetaType, {
      description:
        "The position of the page in its list, from the same snapshot as data; only counted if selected.",
    })
    meta!: PageMetaType;
  }
  return PageType;
}

export const ProductPageType = pageOf(ProductType, "ProductPage", "products");
export const CustomerPageType = pageOf(CustomerType, "CustomerPage", "customers");
export const OrderPageType = pageOf(OrderType, "OrderPage", "orders");
export const NewsletterSubscriberPageType = pageOf(
  NewsletterSubscriberType,
  "NewsletterSubscriberPage",
  "subscribers",
);
