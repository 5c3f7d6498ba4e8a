import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";
import type { DataSettings } from "../../config/settings";
import { isStorableId } from "../../vocabulary/ids";
import type { OrderRecord } from "./order-records";

/** The signed attributes of an order. They never change. */
export type LookedUp = Pick<OrderRecord, "id" | "createdAt">;

/** The id, and 32 bytes in base64url. */
const FORM = /^([1-9][0-9]{0,9})\.[\w-]{43}$/;

/**
 * Texts that show one order to whoever has them, such as `7.qXv…`: the order's id, and a signature of the id
 * and of the time of the order. Nobody can derive a lookup from others.
 */
export class Lookups {
  private readonly key: KeyObject;
  private readonly verifyingKeys: readonly KeyObject[];

  constructor({ secret, previousSecrets }: DataSettings) {
    this.key = keyOf(secret);
    this.verifyingKeys = [this.key, ...previousSecrets.map(keyOf)];
  }

  of(order: LookedUp): string {
    return signed(order, this.key);
  }

  /**
   * Whether a text is a lookup of this order, signed with the present secret or a previous one. {@link idIn} must
   * have found the order's id in the text.
   */
  isOf(lookup: string, order: LookedUp): boolean {
    // Compared as text, because decoding ignores the unused bits of the last character.
    const given = Buffer.from(lookup);
    return this.verifyingKeys.some((key) =>
      timingSafeEqual(given, Buffer.from(signed(order, key))),
    );
  }
}

/** The id in a text of the form of a lookup; undefined if the text has another form, or no order has the id. */
export function idIn(lookup: string): number | undefined {
  const id = Number(FORM.exec(lookup)?.[1]);
  return isStorableId(id) ? id : undefined;
}

const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** The words before the values distinguish these signatures from those for other purposes. */
function signed({ id, createdAt }: LookedUp, key: KeyObject): string {
  const signature = createHmac("sha256", key)
    .update(`order lookup ${id} ${createdAt.toISOString()}`)
    .digest("base64url");
  return `${id}.${signature}`;
}
