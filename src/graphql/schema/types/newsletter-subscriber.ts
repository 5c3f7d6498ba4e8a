import { Field, Int, ObjectType } from "type-graphql";

@ObjectType("NewsletterSubscriber", {
  description: "A subscriber of the newsletter.",
  simpleResolvers: true,
})
export class NewsletterSubscriberType {
  @Field(() => Int, { description: "The id." })
  id!: number;

  @Field({ description: "The e-mail address, as it was first given." })
  email!: string;

  @Field({ description: "False after unsubscribing." })
  isActive!: boolean;

  @Field(() => Date, { description: "When it subscribed first." })
  createdAt!: Date;
}
