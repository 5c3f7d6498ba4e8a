import { createTransport } from "nodemailer";
import { isOrderPlaced, type Handler, type Order, type ShopEvent } from "../receiver/events";
import { isOfSubscription, newsletterMail, type Mail, type NewsletterPages } from "./newsletter";

export interface MailerOptions {
  /** Where messages are handed in, such as `smtp://user:password@localhost:587`. */
  readonly smtp: string;
  readonly from: { readonly name: string; readonly address: string };
  /** The page that shows an order, such as `https://shop.example.com/order`. */
  readonly orderPage: string;
  readonly newsletter: NewsletterPages;
  /** Is told of a message that nobody can be sent, and what it is about, such as `order.placed 7`. */
  readonly undeliverable: (error: Error, subject: string) => void;
}

/** Together less than the 15 seconds that the shop waits. */
const TIME_LIMITS = {
  dnsTimeout: 2000,
  connectionTimeout: 3000,
  greetingTimeout: 3000,
  socketTimeout: 5000,
};

/**
 * Sends a message to the customer of an order that was placed, and to an address that has subscribed to the newsletter. It
 * has taken the event on when the SMTP server has taken the message, which then tries by itself.
 *
 * A process that is killed just after this sends the message again on the shop's next try, under the same Message-ID,
 * by which many mailboxes show it once.
 */
export function mailer({ smtp, from, undeliverable, ...pages }: MailerOptions): Handler {
  const transport = createTransport({ url: smtp, ...TIME_LIMITS });
  const [, domain] = from.address.split("@");
  return async (event) => {
    const mail = mailOf(event, pages);
    if (!mail) return;
    const { address, subject, text, headers } = mail;
    try {
      await transport.sendMail({
        from,
        // An object is one address, with nothing beside it; a text could name several.
        to: { name: "", address },
        subject,
        text,
        messageId: `<${event.id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated", ...headers },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      if (!isRefusedAddress(error)) throw error;
      undeliverable(error, `${event.type} ${event.data.id}`);
    }
  };
}

/** The message of an event, and to whom; undefined if it needs none. */
function mailOf(
  event: ShopEvent,
  { orderPage, newsletter }: Pick<MailerOptions, "orderPage" | "newsletter">,
): (Mail & { readonly address: string }) | undefined {
  if (isOrderPlaced(event)) {
    const { data: order } = event;
    const subject = `Your order ${order.id}`;
    return { address: order.customerEmail, subject, text: textOf(order, orderPage) };
  }
  if (!isOfSubscription(event)) return undefined;
  const mail = newsletterMail(event, newsletter);
  return mail && { address: event.data.email, ...mail };
}

const textOf = ({ id, totalAmount, items, lookup }: Order, orderPage: string): string =>
  [
    `Thank you for your order ${id}.`,
    "",
    ...items.map(
      (item) => `${item.quantity} × ${oneLine(item.productName)}, ${item.unitPrice} each`,
    ),
    "",
    `Total: ${totalAmount}`,
    "",
    // The lookup is a secret: browsers send the part after # to no server.
    ...(lookup === undefined ? [] : [`See it: ${orderPage}#${lookup}`, ""]),
  ].join("\n");

/** A text without line breaks, so that a name can't add lines to the message. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

/** Whether the server has refused the customer's address for good, so that another try would change nothing. */
const isRefusedAddress = (error: unknown): error is Error =>
  error instanceof Error &&
  "command" in error &&
  error.command === "RCPT TO" &&
  "responseCode" in error &&
  Number(error.responseCode) >= 500;
