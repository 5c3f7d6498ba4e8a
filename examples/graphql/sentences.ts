import { ConnectionError, type Reason, type ShopError } from "../shop-error";

/** What the form of an order calls its fields, by the last part of their paths. */
const labels: Readonly<Record<string, string>> = {
  customerEmail: "Your e-mail address",
  items: "The number of products",
  quantity: "The quantity",
  expectedTotal: "The total",
};

/** The largest whole number that the shop can store, where it sets no limit of its own. */
const UNLIMITED = 2_147_483_647;

/** Where nobody knows whether the order was placed. Nothing is wrong with the cart. */
const SHOP_FAILED = "Something went wrong at the shop. Please try again.";

/**
 * What to tell a customer whose order is refused, or was not answered: a sentence for each reason, made of its values.
 * The messages of the shop are for developers. Customers who try again send the same cart, whose key has it placed once.
 *
 * @param nameOf the name of a product in the cart
 */
export const sentencesOf = (
  error: ShopError | ConnectionError,
  nameOf: (productId: number) => string,
): string[] =>
  error instanceof ConnectionError
    ? [SHOP_FAILED]
    : error.reasons.map((reason) => sentenceOf(reason, error, nameOf));

function sentenceOf(
  reason: Reason,
  { status, details }: ShopError,
  nameOf: (productId: number) => string,
): string {
  const name = reason.path?.split(".").at(-1) ?? "";
  const field = labels[name] ?? "Your order";
  switch (reason.code) {
    case "REQUIRED":
      return `${field} is missing.`;
    case "OUT_OF_RANGE":
      if (name === "expectedTotal") return tooMuch(reason);
      if (reason.max === UNLIMITED) return `${field} must be at least ${reason.min}.`;
      return `${field} must be between ${reason.min} and ${reason.max}.`;
    case "TOO_LONG":
      return `${field} may have at most ${reason.max} characters.`;
    case "REPEATED":
      return `${nameOf(Number(reason.productId))} is in your cart more than once.`;
    case "PRODUCT_UNAVAILABLE":
      return `${nameOf(Number(reason.productId))} can't be ordered at present.`;
    case "TOTAL_TOO_LARGE":
      return tooMuch(reason);
    case "TOTAL_CHANGED":
      return `Prices have changed: your order would now cost ${reason.total}.`;
    case "KEY_REUSED":
      return "Your cart has changed since it was ordered. Please look at it, and order again.";
    case "LIMIT":
    case "UNAVAILABLE":
      return tryAgainIn(Number(reason.retryAfter));
    default: // INVALID, codes of later releases, and refusals without reasons
      if (status >= 500) return SHOP_FAILED;
      if (status === 429) return tryAgainIn(details.retryAfter);
      return `${field} is not right. Please look at it again.`;
  }
}

const tooMuch = ({ max }: Reason): string => `One order may cost at most ${max}.`;

const tryAgainIn = (seconds = 1): string =>
  `Please try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
