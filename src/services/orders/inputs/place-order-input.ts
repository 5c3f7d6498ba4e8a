import { Field, InputType, Int } from "type-graphql";
import { EMAIL_MAX_LENGTH } from "../../../vocabulary/text/email-address";
import type { Fault } from "../../../vocabulary/reasons";
import type { CrossChecked } from "../../input/validate";
import { MAX_INTEGER } from "../../../vocabulary/ids";
import { Email, Id, ListOf, PositiveInteger } from "../../input/fields";

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
  @Email()
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
