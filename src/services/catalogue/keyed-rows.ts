import type { WhereOptions } from "sequelize";
import type { ModelCtor, Sequelize } from "sequelize-typescript";
import type { CatalogueSettings } from "../../config/settings";
import { PerDatabase, type ReadPool } from "../../database/connection/read-pool";
import { isStorableKey, type Key } from "../../vocabulary/ids";
import { SharedRead } from "../../reads/shared-read";

/** Finds categories or products by their keys. */
export class KeyedRows<Row extends { readonly id: number }> {
  private readonly gathered: PerDatabase<SharedRead<number, Map<number, Row>>>;

  constructor(
    private readonly pool: ReadPool,
    private readonly model: ModelCtor,
    private readonly settings: Pick<CatalogueSettings, "shared">,
  ) {
    this.gathered = new PerDatabase(
      pool,
      (database) =>
        new SharedRead(async (ids) => {
          const rows = await this.read(database, { id: [...ids] });
          return new Map(rows.map((row) => [row.id, row]));
        }),
    );
  }

  /**
   * The row with this id or slug, or null. Calls for ids that wait at the same time share a statement, which
   * is issued after all of them.
   */
  async find(key: Key): Promise<Row | null> {
    if (!isStorableKey(key)) return null;
    if ("id" in key && this.settings.shared) {
      return (await this.gathered.current.run(key.id)).get(key.id) ?? null;
    }
    const [row] =
      "id" in key
        ? await this.byIds([key.id])
        : await this.read(this.pool.current, { slug: key.slug });
    return row ?? null;
  }

  /** The rows with these ids; unknown ids are left out. */
  byIds(ids: readonly number[]): Promise<Row[]> {
    return this.read(this.pool.current, { id: [...ids] });
  }

  private async read(database: Sequelize, where: WhereOptions): Promise<Row[]> {
    const rows: object[] = await database.getRepository(this.model).findAll({ where, raw: true });
    return rows as Row[];
  }
}
