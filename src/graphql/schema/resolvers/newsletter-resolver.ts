import { Arg, Args, Ctx, Resolver } from "type-graphql";
import { validate } from "../../../services/input/validate";
import type { ListOptions } from "../../../lists/lists";
import {
  SubscribeInput,
  UnsubscribeInput,
  type Subscribers,
} from "../../../services/newsletter/subscribers";
import { Mutation, Query } from "../decorators/operation";
import { Options, PageArguments } from "../types/arguments";
import { NewsletterSubscriberType } from "../types/customer";
import { NewsletterSubscriberPageType } from "../types/lists";

@Resolver(() => NewsletterSubscriberType)
export class NewsletterResolver {
  constructor(private readonly service: Subscribers) {}

  @Query(() => NewsletterSubscriberPageType, "A page of subscribers, newest first.")
  newsletterSubscribers(@Args() page: PageArguments, @Options("meta") reading: ListOptions) {
    return this.service.page(page.request(), reading);
  }

  @Mutation(
    () => Boolean,
    "Subscribes an address to the newsletter. Always true, so that nobody learns who has subscribed.",
  )
  async subscribeToNewsletter(
    @Arg("email", { description: "The e-mail address." }) email: string,
  ): Promise<boolean> {
    await this.service.subscribe(validate(SubscribeInput, { email }));
    return true;
  }

  @Mutation(
    () => Boolean,
    "Confirms a subscription by the `confirmToken` that was sent to its address; true if it was still to be " +
      "confirmed.",
  )
  confirmSubscription(
    @Arg("token", { description: "The token." }) token: string,
    @Ctx("address") address: string,
  ) {
    return this.service.confirm(token, address);
  }

  @Mutation(
    () => Boolean,
    "Ends a subscription by the `unsubscribeToken` that each message to its address should have; true if there " +
      "was one to end.",
  )
  unsubscribe(@Arg("token", { description: "The token." }) token: string) {
    return this.service.unsubscribeByToken(token);
  }

  @Mutation(() => Boolean, "Ends a subscription; true if there was one to end.")
  unsubscribeFromNewsletter(@Arg("email", { description: "The e-mail address." }) email: string) {
    return this.service.unsubscribe(validate(UnsubscribeInput, { email }));
  }
}
