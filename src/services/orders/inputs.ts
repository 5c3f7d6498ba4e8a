import { ArgsType, Field, InputType, Int, registerEnumType } from "type-graphql";
import { OrderStatus } from "../../models";
import { MAX_INTEGER } from "../../vocabulary/ids";
import { Money } from "../../vocabulary/money";
import { invalid, tooLong, type Issue } from "../../vocabulary/reasons";
import { EMAIL_MAX_LENGTH } from "../../vocabulary/text/email-address";
import { isTimeZone, numberOfDays } from "../../vocabulary/time-zones";
import {
  FilterText,
  Id,
  Instant,
  ListOf,
  NewEmail,
  OneOf,
  PositiveInteger,
  Price,
  SomeOf,
  Text,
  WholeNumbers,
} from "../input/fields";
import { NullableField } from "../input/graphql-fields";
import { must, rule } from "../input/rules";
import type { CrossChecked } from "../input/validate";

/** Maximum number of items in one order (contract 4.orders.1). */
const MAX_ITEMS = 100;

@InputType({ description: "A product and how many of it are ordered." })
export class OrderItemInput {
  @Field(() => Int, { description: "An active product; at most once per order." })
  @Id()
  productId!: number;

  @Field(() => Int, { description: "At least 1." })
  @PositiveInteger(MAX_INTEGER)
  quantity!: number;
}

/** The body of an order (contract 4.orders). */
@InputType({ description: "A customer's order." })
export class PlaceOrderInput implements CrossChecked {
  @Field({ description: `The customer's e-mail address, at most ${EMAIL_MAX_LENGTH} characters.` })
  @NewEmail()
  customerEmail!: string;

  @Field(() => [OrderItemInput], { description: `1 to ${MAX_ITEMS} items.` })
  @ListOf(() => OrderItemInput, { least: 1, most: MAX_ITEMS })
  items!: OrderItemInput[];

  /** Checks that each product occurs at most once (contract 4.orders.3). */
  crossIssues(): (readonly [field: string, issue: Issue])[] {
    if (!Array.isArray(this.items) || this.items.length > MAX_ITEMS) return [];
    const seen = new Set<number>();
    return this.items.flatMap((item: OrderItemInput | undefined, index) => {
      const id = item?.productId;
      if (!Number.isSafeInteger(id) || id === undefined) return [];
      if (!seen.has(id)) {
        seen.add(id);
        return [];
      }
      const reason = { code: "REPEATED", productId: id } as const;
      const issue = { message: `${id} occurs more than once`, reason };
      return [[`items.${index}.productId`, issue]];
    });
  }
}

const KEY_MAX_LENGTH = 255;

/** The form of an idempotency key, in the words of messages and descriptions. */
const KEY_FORM = `1 to ${KEY_MAX_LENGTH} visible ASCII characters`;

/** An idempotency key, either plain or quoted as in RFC 8941 section 3.3.3; both forms are the same key. */
const IdempotencyKeyText = (): PropertyDecorator =>
  rule(
    "idempotencyKey",
    (value) => {
      const message = `must be ${KEY_FORM}`;
      if (typeof value !== "string" || !/^[!-~]+$/.test(value)) return invalid(message);
      return value.length > KEY_MAX_LENGTH ? tooLong(message, KEY_MAX_LENGTH) : undefined;
    },
    (value) => (typeof value === "string" ? unquoted(value) : value),
  );

const QUOTED = new RegExp(String.raw`^"((?:[^"\\]|\\["\\]){1,${KEY_MAX_LENGTH}})"$`);

/** The content of a quoted string, empty if it is malformed or too long; any other text as it is. */
const unquoted = (text: string): string =>
  text.startsWith('"') ? (QUOTED.exec(text)?.[1] ?? "").replace(/\\(.)/g, "$1") : text;

/** Optional terms of an order; they are headers in REST and arguments in GraphQL. */
@ArgsType()
export class OrderTerms {
  @NullableField(
    `A key of your own, ${KEY_FORM}: the same order sent again under it is placed once.`,
    IdempotencyKeyText(),
  )
  idempotencyKey?: string;

  @NullableField(
    "The total that the customer agreed to; an order of any other total is refused.",
    Price(),
    () => Money,
  )
  expectedTotal?: Money;
}

export { OrderStatus };

registerEnumType(OrderStatus, {
  name: "OrderStatus",
  description: "The state of an order.",
  valuesConfig: {
    PENDING: { description: "Placed, and not paid yet." },
    PAID: { description: "Paid." },
    CANCELLED: { description: "Cancelled; it stays so." },
  },
});

/** Lengths of a part of an address, in code points. An index finds nothing shorter than three. */
export const SEARCH_LENGTH = { least: 3, most: 100 } as const;

/** The most ids in a filter. */
const MAX_IDS = 100;

@InputType({ description: "Conditions on orders, all of which hold." })
export class OrderFilter {
  @NullableField("Orders in this state.", OneOf(Object.values(OrderStatus)), () => OrderStatus)
  status?: OrderStatus;

  @NullableField(
    "Orders in one of these states; with `status`, both must hold.",
    SomeOf(Object.values(OrderStatus)),
    () => [OrderStatus],
  )
  statuses?: OrderStatus[];

  @NullableField(
    `Orders with one of these ids, at most ${MAX_IDS}. Ids that no order has are ignored.`,
    WholeNumbers(MAX_IDS),
    () => [Int],
  )
  ids?: number[];

  @NullableField("Orders that have this product.", Id(), () => Int)
  productId?: number;

  @NullableField("The customer's whole address; letter case is ignored.", FilterText())
  customerEmail?: string;

  @NullableField(
    `${SEARCH_LENGTH.least} to ${SEARCH_LENGTH.most} characters that occur in the customer's address; ` +
      "letter case is ignored.",
    Text(SEARCH_LENGTH.most, SEARCH_LENGTH.least),
  )
  customerSearch?: string;

  @NullableField("Placed at this time or later.", Instant(), () => Date)
  placedFrom?: Date;

  @NullableField("Placed before this time.", Instant(), () => Date)
  placedBefore?: Date;
}

/** The most days of a period. */
export const MAX_DAYS = 400;

const DAY = 24 * 60 * 60 * 1000;

const periodIssues = (last: string, days: number, least: number): [string, Issue][] => {
  if (days < least) return [[last, invalid("must not be before from")]];
  return days > MAX_DAYS
    ? [[last, invalid(`must be so that the period has at most ${MAX_DAYS} days`)]]
    : [];
};

/** The IANA name of a time zone. */
export const TimeZone = (): PropertyDecorator =>
  must(
    "timeZone",
    "be the IANA name of a time zone, such as Europe/Berlin",
    (value) => typeof value === "string" && isTimeZone(value),
  );

/** Days of a time zone, such as `2026-01-31`; both are part of the period. */
export class SalesPeriod implements CrossChecked {
  @Text(10)
  from!: string;

  @Text(10)
  to!: string;

  @TimeZone()
  timeZone!: string;

  crossIssues() {
    return periodIssues("to", numberOfDays(this.from, this.to), 1);
  }
}

/** Times from `from` on and before `before`. */
export class SellingPeriod implements CrossChecked {
  @Instant()
  from!: Date;

  @Instant()
  before!: Date;

  crossIssues() {
    return periodIssues("before", (this.before.getTime() - this.from.getTime()) / DAY, 0);
  }
}
