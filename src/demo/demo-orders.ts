import { Money } from "../vocabulary/money";

const DAY = 86_400_000;
const ORDERS = 200;
const DAYS = 180;

/** Addresses of the demonstration's customers, at domains that are reserved for examples (RFC 2606). */
export const demoCustomers: readonly string[] = `
  ada.lindqvist amara.okafor anna.kowalska beatriz.silva ben.hartley camille.dubois chen.wei clara.vogel daniel.osei
  elena.petrova emre.yilmaz fatima.zahra finn.gallagher giulia.romano hannah.weiss hiroshi.tanaka ines.moreno
  jakub.novak joao.pereira kavya.nair lars.eriksen leila.haddad lucas.bernard mai.nguyen marta.jimenez mikko.virtanen
  nora.byrne olga.ivanova pooja.sharma rafael.costa rosa.delgado samuel.mensah sofie.jansen thomas.keller yara.santos
  zoe.papadaki`
  .trim()
  .split(/\s+/)
  .map((name, index) => `${name}@example.${["com", "org", "net"][index % 3]}`);

/** A product that can be ordered. */
export interface StockItem {
  readonly id: number;
  /** A decimal with 2 places. */
  readonly price: string;
  readonly createdAt: Date;
}

interface OrderDraft {
  readonly customerEmail: string;
  readonly totalAmount: Money;
  readonly status: "PENDING" | "PAID" | "CANCELLED";
  readonly createdAt: Date;
  readonly items: readonly { productId: number; quantity: number; unitPrice: string }[];
}

/**
 * Orders of the past half year, oldest first. They become more frequent towards `now`. Each has 1 to 5 products
 * that existed at the time.
 */
export function draftOrders(
  stock: readonly StockItem[],
  now: number,
  random: Random,
): OrderDraft[] {
  return Array.from({ length: ORDERS }, (_, index) => {
    const age = DAYS * DAY * ((ORDERS - index) / ORDERS) ** 1.3 - random.below(DAY / 50);
    const createdAt = new Date(now - Math.max(60_000, Math.round(age)));
    const onSale = stock.filter((product) => product.createdAt < createdAt);
    const items = random
      .shuffled(onSale)
      .slice(0, 1 + random.below(5))
      .map(({ id, price }) => ({
        productId: id,
        quantity: random.pick([1, 1, 1, 2, 2, 3, 4]),
        unitPrice: price,
      }));
    const totalAmount = items.reduce(
      (sum, { unitPrice, quantity }) => sum.plus(Money.of(unitPrice).times(quantity)),
      Money.ZERO,
    );
    const customerEmail = random.pick(demoCustomers);
    return { customerEmail, totalAmount, status: statusAt(age, random), createdAt, items };
  });
}

function statusAt(age: number, random: Random): OrderDraft["status"] {
  const share = random.below(100);
  if (share < 10) return "CANCELLED";
  return share < (age < 5 * DAY ? 75 : 15) ? "PENDING" : "PAID";
}

/** Pseudorandom numbers (mulberry32): the same state gives the same numbers. */
export class Random {
  constructor(private state: number) {}

  /** An integer from 0 to `size` - 1. */
  below(size: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * size);
  }

  /** One of the values; there must be at least one. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, rank: this.below(2 ** 31) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ value }) => value);
  }
}
