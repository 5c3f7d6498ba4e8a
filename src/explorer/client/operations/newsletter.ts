import type { Group } from "./prepared";
import { onRows, type RowOperation } from "./row-operation";

export const newsletter: Group = {
  label: "Newsletter",
  operations: [
    {
      label: "Subscribers",
      query: `query Subscribers($page: Int! = 1) {
  newsletterSubscribers(page: $page, pageSize: 50) {
    meta { total page totalPages }
    data {
      id
      email
      isActive
      createdAt
    }
  }
}`,
      variables: () => ({ page: 1 }),
    },
  ],
};

export const onSubscribers: readonly RowOperation[] = [
  onRows("NewsletterSubscriber", ["id", "email", "isActive"], {
    label: "Unsubscribe",
    query: `mutation Unsubscribe($email: String!) {
  unsubscribeFromNewsletter(email: $email)
}`,
    when: ({ isActive }) => isActive,
    variables: ({ email }) => ({ email }),
    does: {
      kind: "asks",
      question: (things) => `Unsubscribe ${things} from the newsletter?`,
      several: (count) => `Unsubscribe ${count}`,
      done: "unsubscribed",
      changes: { isActive: false },
    },
  }),
];
