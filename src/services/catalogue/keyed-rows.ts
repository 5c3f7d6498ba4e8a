import type { ModelCtor, Sequelize } from "sequelize-typescript";
import type { CatalogueSettings } from "../../config/settings";
import { PerDatabase, type ReadPool } from "../../database/connection/read-pool";
import type { ModelTable } from "../../database/statements/columns";
import { rowsById } from "../../database/statements/rows-by-id";
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
          const rows = await this.read(database, [...ids]);
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
    if ("id" in key) return (await this.byIds([key.id]))[0] ?? null;
    const rows = this.pool.current.getRepository(this.model);
    const row: object | null = await rows.findOne({ where: { slug: key.slug }, raw: true });
    return row as Row | null;
  }

  /** The rows with these ids; unknown ids are left out. */
  byIds(ids: readonly number[]): Promise<Row[]> {
    return this.read(this.pool.current, ids);
  }

  private read(database: Sequelize, ids: readonly number[]): Promise<Row[]> {
    const table = database.getRepository(this.model) as unknown as ModelTable<Row>;
    return rowsById(database, table, ids);
  }
}
