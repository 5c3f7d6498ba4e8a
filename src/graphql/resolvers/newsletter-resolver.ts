import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  Authorized,
  Info,
  Mutation,
  Query,
  Resolver,
  UseMiddleware,
} from "type-graphql";
import { ADMIN } from "../../services/administrators/authentication";
import { SubscribeInput } from "../../services/newsletter/subscribe-input";
import type { Subscribers, SubscriberRecord } from "../../services/newsletter/subscribers";
import { pageRequest, type Page } from "../../services/lists/pagination";
import { validate } from "../../services/input/validate";
import { limitedBy } from "../rate-limit";
import { isSelected } from "../selection";
import { PageArguments } from "../types/arguments";
import { NewsletterSubscriberType } from "../types/newsletter-subscriber";
import { NewsletterSubscriberPageType } from "../types/pages";

/** Newsletter subscriptions. */
@Resolver(() => NewsletterSubscriberType)
export class NewsletterResolver {
  constructor(private readonly service: Subscribers) {}

  @Authorized(ADMIN)
  @Query(() => NewsletterSubscriberPageType, {
    description: "A page of subscribers, newest first. For administrators.",
  })
  newsletterSubscribers(
    @Args(() => PageArguments) { page, pageSize }: PageArguments,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<SubscriberRecord>> {
    return this.service.page(pageRequest(page, pageSize), { counted: isSelected(info, "meta") });
  }

  @UseMiddleware(limitedBy("newsletter"))
  @Mutation(() => Boolean, {
    description:
      "Subscribes an address to the newsletter. Always true: does not say whether it was known.",
  })
  async subscribeToNewsletter(
    @Arg("email", () => String, { description: "The e-mail address." }) email: string,
  ): Promise<boolean> {
    await this.service.subscribe(validate(SubscribeInput, { email }));
    return true;
  }

  @Authorized(ADMIN)
  @Mutation(() => Boolean, {
    description: "Ends a subscription; true where that changed something. For administrators.",
  })
  unsubscribeFromNewsletter(
    @Arg("email", () => String, { description: "The e-mail address." }) email: string,
  ): Promise<boolean> {
    return this.service.unsubscribe(validate(SubscribeInput, { email }));
  }
}
