import { invalid, tooLong } from "../../../vocabulary/reasons";
import { all, Converted, Documented, OptionalOrNull, rule } from "../../input/rules";
import { ArgsType, Field } from "type-graphql";
import { Money } from "../../../vocabulary/money";
import { Price } from "../../input/fields";

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
    Documented({ type: "string", pattern: "^[!-~]+$", minLength: 1, maxLength: KEY_MAX_LENGTH }),
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
