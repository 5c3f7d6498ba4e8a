import { Extensions, Field, Int, ObjectType, type ClassType } from "type-graphql";
import type { KeysetPage } from "../../../lists/keyset";
import { LIST_COSTS } from "../../../lists/lists";
import { AuditEntryType } from "./audit-entry";
import { CustomerType, NewsletterSubscriberType } from "./customer";
import { OrderType } from "./order";
import { ProductType } from "./catalogue";
import { DeliveryType, EventType } from "./webhook";

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

@ObjectType("PageInfo", {
  description: "The position of the edges in their connection.",
  simpleResolvers: true,
})
class PageInfoType {
  @Field({ description: "Whether there are entries after these." })
  hasNextPage!: boolean;

  @Field({ description: "Whether there are entries before these." })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: "The cursor of the first edge." })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: "The cursor of the last edge." })
  endCursor!: string | null;
}

function connectionOf<T extends object>(Node: ClassType<T>, name: string, entries: string) {
  @ObjectType(`${name}Edge`, { description: `One of the ${entries}.`, simpleResolvers: true })
  class EdgeType {
    @Field({
      description: "The position of the entry: pass it as `after` or `before` to continue.",
    })
    cursor!: string;

    @Extensions({ cost: 0 }) // it is loaded with its edge
    @Field(() => Node, { description: "The entry itself." })
    node!: T;
  }

  @ObjectType(`${name}Connection`, {
    description: `Part of all ${entries}, stable while others are added.`,
    simpleResolvers: true,
  })
  class ConnectionType {
    @Extensions({ isPage: true })
    @Field(() => [EdgeType], { description: `The ${entries} of this part.` })
    edges!: EdgeType[];

    @Extensions({ cost: 0 })
    @Field(() => PageInfoType, { description: "The position of this part in the list." })
    pageInfo!: PageInfoType;

    @Extensions({ cost: LIST_COSTS.total })
    @Field(() => Int, {
      description: "The number of entries that match; only counted if selected.",
    })
    totalCount!: number;
  }
  return ConnectionType;
}

export const ProductConnectionType = connectionOf(ProductType, "Product", "products");
export const OrderConnectionType = connectionOf(OrderType, "Order", "orders");
export const AuditConnectionType = connectionOf(AuditEntryType, "Audit", "entries");
export const DeliveryConnectionType = connectionOf(DeliveryType, "Delivery", "deliveries");
export const EventConnectionType = connectionOf(EventType, "Event", "events");

export const presentConnection = <T>({ edges, ...connection }: KeysetPage<T>) => ({
  edges,
  pageInfo: {
    hasNextPage: connection.hasNextPage,
    hasPreviousPage: connection.hasPreviousPage,
    startCursor: edges.at(0)?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  },
  totalCount: connection.totalCount,
});
