import type { CatalogueSettings } from "../../config/settings";
import { PerDatabase, type ReadPool } from "../../database/connection/read-pool";
import { rowsBy, type ModelTable } from "../../database/statements/model-table";
import { isStorableKey, type Key } from "../../vocabulary/ids";
import { SharedRead } from "../../reads/shared-read";

/** Finds categories or products by their keys. */
export class KeyedRows<Row extends { readonly id: number }> {
  private readonly gathered: PerDatabase<SharedRead<number, Map<number, Row>>>;

  constructor(
    private readonly pool: ReadPool,
    private readonly model: ModelTable<Row>,
    private readonly settings: Pick<CatalogueSettings, "shared">,
  ) {
    this.gathered = new PerDatabase(
      pool,
      (database) =>
        new SharedRead(async (ids) => {
          const rows = await rowsBy(database, model, "id", [...ids]);
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
        : await rowsBy(this.pool, this.model, "slug", [key.slug]);
    return row ?? null;
  }

  /** The rows with these ids; unknown ids are left out. */
  byIds(ids: readonly number[]): Promise<Row[]> {
    return rowsBy(this.pool, this.model, "id", ids);
  }
}
