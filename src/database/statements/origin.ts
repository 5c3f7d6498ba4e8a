import sql, { type Sql } from "sql-template-tag";
import { currentOrigin } from "../../vocabulary/change-origin";

/**
 * An expression that tells the triggers of its transaction where the change comes from (migration 028). Nothing of it
 * outlives the transaction. A changing statement selects it `FROM`, so that it takes no statement of its own.
 */
export const origin = (): Sql => {
  const current = currentOrigin();
  return sql`(SELECT set_config('tea_shop.origin', ${current ? JSON.stringify(current) : ""}, true) AS change_origin) AS change`;
};
