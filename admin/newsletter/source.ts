import type { SubscriberListQuery } from "../api/generated/graphql";
import type { Source } from "../api/data-provider";
import { graphql } from "../api/graphql";
import { request } from "../api/request";

const SubscriberList = graphql(`
  query SubscriberList($page: Int!, $pageSize: Int!) {
    newsletterSubscribers(page: $page, pageSize: $pageSize) {
      data { id email isActive createdAt consentedAt } meta { total }
    }
  }
`);
const EndSubscription = graphql(`
  mutation EndSubscription($email: String!) { unsubscribeFromNewsletter(email: $email) }
`);

export type Subscriber = SubscriberListQuery["newsletterSubscribers"]["data"][number];

export const newsletter: Source<Subscriber> = {
  list: async ({ page, pageSize, signal }) => {
    const answer = await request(SubscriberList, { page, pageSize }, signal);
    const found = answer.newsletterSubscribers;
    return { data: found.data, total: found.meta.total };
  },
};

export const unsubscribe = ({ email }: Subscriber): Promise<unknown> =>
  request(EndSubscription, { email });
