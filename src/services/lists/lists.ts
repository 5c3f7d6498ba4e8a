import type { Sequelize } from "sequelize-typescript";
import type { DatabaseSettings } from "../../config/settings";
import { readList, readLists, type ListPart, type ListQuery } from "../../database/list-query";
import type { Sql } from "sql-template-tag";
import { BoundedQueue } from "../limits/bounded-queue";
import { isCostly, priceOfSkipping } from "./list-prices";

/** The part of the pool that costly lists may hold at one time. */
const COSTLY_SHARE = 1 / 4;

/**
 * Reads lists. Those that cost the database much share a lane of their own, a quarter of the
 * connections, so that everything else finds one however many of them are asked for; they wait for
 * their turn as long, and as many of them, as for a connection.
 */
export class Lists {
  private readonly costly: BoundedQueue;

  constructor(
    private readonly sequelize: Sequelize,
    { poolSize, queueLimit, acquireTimeout }: DatabaseSettings,
  ) {
    this.costly = new BoundedQueue({
      concurrency: Math.max(1, Math.floor(poolSize * COSTLY_SHARE)),
      waiting: queueLimit,
      patience: acquireTimeout,
    });
  }

  /**
   * Part of a list and the number of all its rows. `price` is what finding the rows costs beside
   * themselves (see list-prices).
   *
   * @throws DomainError UNAVAILABLE where it is costly, and too many such wait or it has waited too long
   */
  read<Row extends { id: number }>(query: ListQuery<Row>, price = 0): Promise<ListPart<Row>> {
    return this.inLane(query, price, () => readList(this.sequelize, query));
  }

  /** The same part of several lists, by key: those of the rows that have it in `column`; else as {@link read}. */
  readEach<Row extends { id: number }>(
    query: ListQuery<Row>,
    lists: { column: Sql; keys: readonly number[] },
    price = 0,
  ): Promise<Map<number, ListPart<Row>>> {
    return this.inLane(query, price, () => readLists(this.sequelize, query, lists));
  }

  private inLane<T>(
    { offset }: { offset: bigint },
    price: number,
    read: () => Promise<T>,
  ): Promise<T> {
    return isCostly(price + priceOfSkipping(offset)) ? this.costly.run(read) : read();
  }
}
