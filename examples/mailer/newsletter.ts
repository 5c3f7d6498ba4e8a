import type { ShopEvent, Subscription } from "../receiver/events";

export interface NewsletterPages {
  /** Calls `confirmSubscription` with the token after #, at a click: programs that look at mails open links, too. */
  readonly confirm: string;
  /** `oneClick` at its public address, such as `https://shop.example.com/unsubscribe`. */
  readonly unsubscribe: string;
}

/** What a mail has besides its address. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The mail to an address that has subscribed: the request to confirm that, which says nothing else, as somebody else may
 * have typed the address; or the welcome once it is active.
 */
export function newsletterMail(
  { type, data }: ShopEvent<Subscription>,
  pages: NewsletterPages,
): Mail | undefined {
  const { confirmToken, unsubscribeToken, isActive } = data;
  if (type === "subscription.requested" && confirmToken !== undefined) {
    return {
      subject: "Please confirm your subscription",
      text: [
        "Somebody, probably you, has subscribed this address to our newsletter.",
        "",
        // Browsers send the part after # to no server.
        `Confirm it here, within seven days: ${pages.confirm}#${confirmToken}`,
        "",
        "If it was not you, do nothing.",
        "",
      ].join("\n"),
    };
  }
  const hasBegun = type === "subscription.requested" || type === "subscription.confirmed";
  if (!hasBegun || !isActive) return undefined;
  const link = unsubscribeLink(pages, unsubscribeToken);
  return {
    subject: "Welcome to our newsletter",
    text: `Thank you for your subscription.\n\nTo end it: ${link}\n`,
    headers: unsubscribeHeaders(link),
  };
}

/** The link for every mail of the newsletter. For a list of addresses: `tea subscribers export --with-tokens`. */
const unsubscribeLink = ({ unsubscribe }: NewsletterPages, token: string): string =>
  `${unsubscribe}?token=${token}`;

/** The headers for a button of the mail program (RFC 8058). The SMTP server must sign both by DKIM. */
const unsubscribeHeaders = (link: string): Readonly<Record<string, string>> => ({
  "List-Unsubscribe": `<${link}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

export const isOfSubscription = (event: ShopEvent): event is ShopEvent<Subscription> =>
  event.type.startsWith("subscription.");
