import { ArgsType, Field, InputType, Int } from "type-graphql";
import { EMAIL_MAX_LENGTH } from "../../../vocabulary/text/email-address";
import { invalid, tooLong, type Fault } from "../../../vocabulary/reasons";
import { Money } from "../../../vocabulary/money";
import type { CrossChecked } from "../../input/validate";
import { MAX_INTEGER } from "../../../vocabulary/ids";
import { NewEmail } from "../../input/email";
import { Id, ListOf, PositiveInteger, Price } from "../../input/fields";
import { all, Converted, OptionalOrNull, rule } from "../../input/rules";

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
  crossFaults(): (readonly [field: string, fault: Fault])[] {
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
      const fault = { message: `${id} occurs more than once`, reason };
      return [[`items.${index}.productId`, fault]];
    });
  }
}

const KEY_MAX_LENGTH = 255;

/** The form of an idempotency key, in the words of messages and descriptions. */
const KEY_FORM = `1 to ${KEY_MAX_LENGTH} visible ASCII characters`;

/** An idempotency key, either plain or quoted as in RFC 8941 section 3.3.3; both forms are the same key. */
const IdempotencyKeyText = (): PropertyDecorator =>
  all(
    Converted((value) => (typeof value === "string" ? unquoted(value) : value)),
    rule("idempotencyKey", (value) => {
      const message = `must be ${KEY_FORM}`;
      if (typeof value !== "string" || !/^[!-~]+$/.test(value)) return invalid(message);
      return value.length > KEY_MAX_LENGTH ? tooLong(message, KEY_MAX_LENGTH) : undefined;
    }),
  );

const QUOTED = new RegExp(String.raw`^"((?:[^"\\]|\\["\\]){1,${KEY_MAX_LENGTH}})"$`);

/** The content of a quoted string, empty if it is malformed or too long; any other text as it is. */
const unquoted = (text: string): string =>
  text.startsWith('"') ? (QUOTED.exec(text)?.[1] ?? "").replace(/\\(.)/g, "$1") : text;

/** Optional terms of an order; they are headers in REST and arguments in GraphQL. */
@ArgsType()
export class OrderTerms {
  @Field({
    nullable: true,
    description: `A key of your own, ${KEY_FORM}: the same order sent again under it is placed once.`,
  })
  @OptionalOrNull()
  @IdempotencyKeyText()
  idempotencyKey?: string;

  @Field(() => Money, {
    nullable: true,
    description: "The total that the customer agreed to; an order of any other total is refused.",
  })
  @OptionalOrNull()
  @Price()
  expectedTotal?: Money;
}
