import { Field, Int, ObjectType } from "type-graphql";
import { Money } from "../../../vocabulary/money";

@ObjectType("NewsletterSubscriber", {
  description: "A subscriber of the newsletter.",
  simpleResolvers: true,
})
export class NewsletterSubscriberType {
  @Field(() => Int, { description: "The id." })
  id!: number;

  @Field({ description: "The e-mail address, as it was first given." })
  email!: string;

  @Field({ description: "False before it is confirmed, if it has to be, and after unsubscribing." })
  isActive!: boolean;

  @Field(() => Date, { description: "When it subscribed first." })
  createdAt!: Date;

  @Field(() => Int, { description: "1 when created, and one more with each change." })
  version!: number;

  @Field(() => Date, { nullable: true, description: "When it was confirmed last." })
  consentedAt!: Date | null;

  @Field(() => String, { nullable: true, description: "The IP address that confirmed it." })
  consentAddress!: string | null;
}

@ObjectType("Customer", { description: "Somebody who has ordered.", simpleResolvers: true })
export class CustomerType {
  @Field({ description: "The e-mail address, as in the last order." })
  email!: string;

  @Field(() => Int, { description: "The number of orders." })
  orders!: number;

  @Field(() => Money, { description: "What the orders that are not cancelled amount to." })
  amount!: string;

  @Field(() => Date, { description: "When the first order was placed." })
  firstOrderAt!: Date;

  @Field(() => Date, { description: "When the last order was placed." })
  lastOrderAt!: Date;
}

@ObjectType("CustomerData", {
  description: "What is stored of a customer, who is known by an address alone.",
  simpleResolvers: true,
})
export class CustomerDataType {
  @Field({ description: "The e-mail address that was asked for." })
  email!: string;

  @Field(() => Int, { description: "The number of orders." })
  orders!: number;

  @Field(() => Date, { nullable: true, description: "When the first of them was placed." })
  firstOrderAt!: Date | null;

  @Field(() => Date, { nullable: true, description: "When the last of them was placed." })
  lastOrderAt!: Date | null;

  @Field(() => NewsletterSubscriberType, {
    nullable: true,
    description: "The subscription to the newsletter, active or not.",
  })
  subscription!: NewsletterSubscriberType | null;

  @Field(() => Int, { description: "The number of events that have the address." })
  events!: number;

  @Field(() => Int, {
    description: "The number of entries of the audit log that have the address.",
  })
  auditEntries!: number;
}

@ObjectType("ErasedCustomer", {
  description: "What the erasure of a customer has changed.",
  simpleResolvers: true,
})
export class ErasedCustomerType {
  @Field({ description: "The address that replaces the customer's. It is nobody's." })
  tombstone!: string;

  @Field(() => Int, { description: "The number of orders." })
  orders!: number;

  @Field(() => Int, { description: "The number of subscriptions to the newsletter: 0 or 1." })
  subscriptions!: number;

  @Field(() => Int, { description: "The number of events." })
  events!: number;

  @Field(() => Int, { description: "The number of entries of the audit log." })
  auditEntries!: number;
}
