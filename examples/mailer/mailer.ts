import { createTransport } from "nodemailer";
import { isOrderPlaced, type Handler, type Order } from "../receiver/events";

export interface MailerOptions {
  /** Where messages are handed in, such as `smtp://user:password@localhost:587`. */
  readonly smtp: string;
  readonly from: { readonly name: string; readonly address: string };
  /** The page that shows an order, such as `https://shop.example.com/order`. */
  readonly orderPage: string;
  /** Is told of a message that nobody can be sent. */
  readonly undeliverable: (error: Error, order: Order) => void;
}

/** Together less than the 15 seconds that the shop waits. */
const TIME_LIMITS = {
  dnsTimeout: 2000,
  connectionTimeout: 3000,
  greetingTimeout: 3000,
  socketTimeout: 5000,
};

/**
 * Sends the customer of an order that was placed a message. It has taken the event on when the SMTP server has taken
 * the message, which then tries by itself.
 *
 * A process that is killed just after this sends the message again on the shop's next try, under the same Message-ID,
 * by which many mailboxes show it once.
 */
export function mailer({ smtp, from, orderPage, undeliverable }: MailerOptions): Handler {
  const transport = createTransport({ url: smtp, ...TIME_LIMITS });
  const [, domain] = from.address.split("@");
  return async (event) => {
    if (!isOrderPlaced(event)) return;
    const { data: order } = event;
    try {
      await transport.sendMail({
        from,
        // An object is one address, with nothing beside it; a text could name several.
        to: { name: "", address: order.customerEmail },
        subject: `Your order ${order.id}`,
        text: textOf(order, orderPage),
        messageId: `<${event.id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      if (!isRefusedAddress(error)) throw error;
      undeliverable(error, order);
    }
  };
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
