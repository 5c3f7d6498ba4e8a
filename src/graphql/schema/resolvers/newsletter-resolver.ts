import { Arg, Args, Resolver } from "type-graphql";
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

  @Mutation(() => Boolean, "Ends a subscription; true if there was an active one.")
  unsubscribeFromNewsletter(@Arg("email", { description: "The e-mail address." }) email: string) {
    return this.service.unsubscribe(validate(UnsubscribeInput, { email }));
  }
}
